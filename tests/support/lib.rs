//! What the tests stand on: engines of their own, a window of their own.
