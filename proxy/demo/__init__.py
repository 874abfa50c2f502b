"""`dpproxy demo`: a made-up clinic, questions asked through the wire, and exact answers beside the noisy ones.

Only here are the two compared: the demo plays both the owner (`clinic`) and the analyst (`client`).
"""
