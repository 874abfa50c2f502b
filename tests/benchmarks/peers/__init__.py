"""Other systems that answer the same question, each run by the Python of its own environment.

Every program reads one JSON object from standard input and prints rows of key, count, sum and average for each
repetition. None of them imports this project.
"""
