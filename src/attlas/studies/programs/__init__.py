"""What a head does as a sum of readable programs: fitted, read aloud, and tested by replacing the head."""
