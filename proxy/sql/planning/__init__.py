"""From a block to a plan: keys, statistics, bounds, noise, price."""
