"""Total expressions: scalar SQL that cannot fail, with what is known of its values (DESIGN section 4)."""
