"""From exact measurements to what may be shown: noise, choices, key selection, totals (decision 2)."""
