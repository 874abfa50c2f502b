"""Row-level relations: what FROM means, and the unit that each row belongs to (decision 3).

compiler                                      from a SELECT to its `Relation`
relation, members, footprint                  the values: relations, items of FROM, columns; what they read and rest on
joins, join_words, outer_joins                FROM, item by item, and what its words say; outer joins
total_joins, full_joins, matched_joins        outer joins that a foreign key or a later condition makes inner
derived, set_operations                       subqueries in it
unique_rows                                   in which of their outputs no two rows are equal
ownership, reach, fixed_columns, hash_ties    the proof of the unit, and how joined rows are reached
few_values                                    columns with few values, which nearly complete a key
two_units                                     the refusal where there is none
meeting, lookups                              EXISTS and IN; keys of public tables
unit_spelling, presence, told_units           the unit as SQL spells it; where its column cannot be NULL; what tells it
narrowing                                     what WHERE, FILTER and ON say of the numbers in the rows
snapping, time_windows                        constants of WHERE on the grid of the clock; windows that are read
per_unit*, tie_breakers, grouping, canonical  aggregates and windows within a unit; keys of groups
extremes, case_results, room                  what rows have in the place of a unit's min or max; segments; open sums
elements                                      unnest() and the like of a value in the row beside them
multiplicity, cuts, limits, unread_columns    how far rows multiply, and how long one row and one unit may take
feedback, stage_columns                       earlier answers, and their columns
released_keys, joined_keys                    which of their rows are apart, and how many there are at most
constant_rows, row_counts                     rows that the query writes out itself, and how many
probes                                        what the source has to be able to compute
"""
