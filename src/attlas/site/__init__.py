"""Sites of many models: an index, a report for each model, a page for each head, tables over all of them."""
