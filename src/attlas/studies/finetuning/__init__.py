"""Fine-tuning: a model that classifies texts, trained on a task, with a record of what training did to it."""
