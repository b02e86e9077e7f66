//! Labels and descriptions from doc comments: the first paragraph is the label, the rest describes.

/// The first paragraph on one line, without the full stop that ends it.
pub(crate) fn title(lines: &[&str]) -> String {
    let first = paragraphs(lines).into_iter().next().unwrap_or_default();
    first.strip_suffix('.').map_or(first.clone(), str::to_owned)
}

/// Every paragraph but the first, each on one line, with an empty line between.
pub(crate) fn description(lines: &[&str]) -> String {
    paragraphs(lines)
        .into_iter()
        .skip(1)
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn paragraphs(lines: &[&str]) -> Vec<String> {
    lines
        .split(|line| line.trim().is_empty())
        .map(|paragraph| {
            paragraph
                .iter()
                .map(|line| line.trim())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .filter(|paragraph| !paragraph.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_paragraph_is_the_title_and_the_rest_describes() {
        let doc = [
            " Base",
            " URL.",
            "",
            " Root of the API;",
            " paths follow.",
            "",
            " More.",
        ];
        assert_eq!(title(&doc), "Base URL");
        assert_eq!(description(&doc), "Root of the API; paths follow.\n\nMore.");
        assert_eq!(title(&[]), "");
        assert_eq!(description(&[" Only."]), "");
    }
}
