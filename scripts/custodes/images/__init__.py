"""Image data sets as a whole: factors, sources, published files, prepared folders."""
