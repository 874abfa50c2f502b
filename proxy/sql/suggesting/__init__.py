"""Questions behind suggested bounds, and the histograms of units that answer them (theorem 17).

`requests` is what a steward can ask, `questions` the plan with its price, `exceedances` the two source queries,
`scales` the candidates for a column's bounds.
"""
