/// Whether a project may be called so: lower-case letters, digits, `-` and `_`,
/// beginning with a letter or digit.
pub(crate) fn is_legal(name: &str) -> bool {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.starts_with(good) && name.chars().all(|c| good(c) || matches!(c, '-' | '_'))
}

/// A legal project name out of any text; may be empty.
pub(crate) fn normalize(text: &str) -> String {
    let kept: String = text
        .to_lowercase()
        .chars()
        .filter(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
        .collect();
    kept.trim_start_matches(['-', '_']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalized_like_docker_compose() {
        for (text, expected) in [
            ("TopName", "topname"),
            ("'-bad'", "bad"),
            ("my app.v2", "myappv2"),
            ("1st", "1st"),
            ("ÄÖ", ""),
        ] {
            assert_eq!(normalize(text), expected, "{text}");
        }
        assert!(is_legal("a-b_1") && is_legal("1a"));
        assert!(!is_legal("-a") && !is_legal("A") && !is_legal("") && !is_legal("a.b"));
    }
}
