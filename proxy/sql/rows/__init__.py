"""Row-level relations: what FROM means, and whose each row is (DESIGN section 3)."""
