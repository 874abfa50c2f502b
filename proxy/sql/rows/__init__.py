"""Row-level relations: what FROM means, and whose each row is (decision 3)."""
