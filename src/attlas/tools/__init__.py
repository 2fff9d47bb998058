"""What other programs may ask: six read-only tools with typed answers, which `attlas mcp` serves."""
