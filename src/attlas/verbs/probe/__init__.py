"""The probes, one file each: what heads know of syntax, coreference, frames and features."""
