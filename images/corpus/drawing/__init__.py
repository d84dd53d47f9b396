"""How the pictures of the corpus come about: words and art in, PNG out, the same bytes everywhere."""
