"""What all figures share: style, panels, marks, options, files."""
