//! Columns for people.

use console::{Alignment, measure_text_width, pad_str};

/// Rows under their headings, two spaces apart, without trailing blanks.
pub(crate) fn lines(headings: &[&str], rows: &[Vec<String>]) -> Vec<String> {
    let widths: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(column, heading)| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| measure_text_width(cell))
                .chain([measure_text_width(heading)])
                .max()
                .unwrap_or(0)
        })
        .collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        cells
            .zip(&widths)
            .map(|(cell, width)| pad_str(cell, *width, Alignment::Left, None).into_owned())
            .collect::<Vec<_>>()
            .join("  ")
            .trim_end()
            .to_owned()
    };
    let mut out = vec![line(&mut headings.iter().copied())];
    out.extend(
        rows.iter()
            .map(|row| line(&mut row.iter().map(String::as_str))),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell_on_screen() {
        let rows = vec![
            vec!["日本".to_owned(), "ready".to_owned(), String::new()],
            vec!["a".to_owned(), "tearing down".to_owned(), "x".to_owned()],
            vec!["\u{1b}[32mgreen\u{1b}[0m".to_owned(), String::new()],
        ];
        assert_eq!(
            lines(&["NAME", "STATE", "URL"], &rows),
            [
                "NAME   STATE         URL",
                "日本   ready",
                "a      tearing down  x",
                "\u{1b}[32mgreen\u{1b}[0m",
            ]
        );
    }
}
