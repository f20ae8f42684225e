"""Scores of memories: models, signals, the engine, explanations. Pure and free-standing."""
