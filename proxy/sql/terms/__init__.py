"""Total expressions: scalar SQL that cannot fail, with what is known of its values (decision 4)."""
