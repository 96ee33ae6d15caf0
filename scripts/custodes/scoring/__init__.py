"""Scores of many pairs of factors and codes: blocks, calibration against chance, rows that are kept."""
