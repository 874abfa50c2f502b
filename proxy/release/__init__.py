"""From exact measurements to what may be shown: noise, choices, key selection, totals (DESIGN section 2, step 8)."""
