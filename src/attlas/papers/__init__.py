"""The papers that Attlas began with, item by item: what each reports beside what a model here shows."""
