"""Kinds of plots, one module each."""

from custodes.registry import lazily

__getattr__, __dir__ = lazily("plots")
