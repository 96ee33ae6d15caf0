"""What factor distributions and encoders share, and closed forms of scores on them."""
