//! Who handles what, and whose choice is in effect.

mod made_with;

pub(crate) use made_with::MadeWith;
