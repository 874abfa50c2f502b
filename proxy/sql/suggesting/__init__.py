"""Questions behind suggested bounds, and the histograms of units that answer them (MATH section 7)."""
