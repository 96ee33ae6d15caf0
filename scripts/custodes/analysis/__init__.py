"""What codes do with factors, and whether scores agree on models."""
