"""From exact source queries to what may be shown (decision 2).

answer_size       refuses, before the charge, what would be too large
drawn             the noise, drawn before the source is asked
noisy_answers     noise and selected keys; then what a session shows of them
chosen_values     minimum, maximum, percentiles and modes
precision         one answer at several precisions
clipping          how much of a unit counts, chosen privately
precision         an answer at several precisions
totals            grouping sets: from finest groups to totals, and numbers that add up
"""
