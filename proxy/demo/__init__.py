"""`dpproxy demo`: a made-up clinic, questions asked of it through the wire, exact answers beside the noisy ones.

The only place that compares the two: the owner's side (`clinic`) and the analyst's (`client`) are both played here.
"""
