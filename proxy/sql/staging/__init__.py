"""From released numbers to SQL for the stage."""
