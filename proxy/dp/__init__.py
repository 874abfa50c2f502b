"""Noise, mechanisms and accounting: exact arithmetic on integers, which knows nothing of SQL (theorems: `README.md`).

accounting, conversion, risk                prices, accounts, from zCDP to (ε, δ), and what somebody who knows all
                                            other rows can tell of one unit
mechanisms, noise, exact                    discrete Laplace and Gaussian, sampled exactly
calibration, calibrated, tails, comparison  the noise that a stated (ε, δ) needs, and the least of several kinds
selection, truncated_geometric              which undeclared keys may be shown
exponential, weighted_choice, lazy_probability, histogram, quantiles
                                            choices: minimum, maximum, percentiles, mode
value_counts                                how many of a few listed values occur
interpolated_quantiles, interpolation       percentiles between two rows
clipping                                    how much of a unit counts, chosen from the data
search                                      caps that few units exceed, for suggested bounds
consistency, fitting                        noisy totals that add up (post-processing)
precision                                   one number at several precisions: sharpened or coarsened
noise_widths, simulated                     how far the noise of a shown number goes, and of expressions
timing, stock                               when an answer may leave; noise drawn before the source is asked
randomness                                  the only source of randomness
local                                       local randomisation: reports that protect each value by themselves
"""
