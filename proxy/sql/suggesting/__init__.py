"""Questions behind suggested bounds, and the histograms of units that answer them (theorem 17)."""
