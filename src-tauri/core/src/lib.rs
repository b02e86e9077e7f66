//! What is remembered and decided.
