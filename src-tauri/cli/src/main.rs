//! `berth`: the verbs without a window.

fn main() {}
