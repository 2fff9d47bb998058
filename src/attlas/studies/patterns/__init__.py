"""Patterns: what heads attend to, as scores with their nulls, and the names that follow."""
