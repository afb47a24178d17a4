"""The terminal's commands: each module adds its own to the parser, and does what they ask."""
