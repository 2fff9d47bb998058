"""What a head knows: dependencies, coreference, frames, features."""
