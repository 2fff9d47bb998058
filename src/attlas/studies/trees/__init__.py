"""Trained probes: how much of a dependency tree do all heads know together? (Clark 2019, section 5)"""
