"""mvdesk, a desk for MemoryVault files."""

__version__ = "0.1.0"
