"""Durations in words."""


def in_words(seconds):
    """A duration such as 3 h 05 min, 3 min 20 s or 20 s."""
    seconds = round(seconds)
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        return f"{hours:,} h {minutes % 60:02} min"
    return f"{minutes} min {seconds % 60:02} s" if minutes else f"{seconds} s"
