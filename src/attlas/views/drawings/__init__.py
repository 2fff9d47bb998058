"""Still pictures, one file a kind of view. They draw from the weights themselves, without a browser."""
