"""Whether the names of heads are true: what a model loses when heads do what their names say, and no more."""
