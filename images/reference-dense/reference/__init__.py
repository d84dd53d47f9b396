"""The reference of the dense route: sentence-transformers with the model's own weights, and an exact faiss index."""
