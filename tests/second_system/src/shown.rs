//! The shown form of text from data, and how much of it fits.

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

const ELLIPSIS: char = '…';

/// Draws nothing that could steer the terminal.
pub struct Shower {
    harmful: Regex,
}

impl Shower {
    pub fn new() -> Shower {
        let harmful = Regex::new(r"[[\x{80}-\x{9f}\p{Cf}]--[\x{200d}]]").expect("a well-formed class");
        Shower { harmful }
    }

    /// The shown form of `text` (images/README.md).
    pub fn shown(&self, text: &str) -> String {
        let text: String = text.nfc().map(pictured).collect();
        self.harmful.replace_all(&text, "\u{fffd}").into_owned()
    }

    /// The shown form of `text`, cut at its end.
    pub fn start(&self, text: &str, columns: usize) -> String {
        cut(self.shown(text).chars(), columns).collect()
    }

    /// The shown form of `text`, cut at its start.
    pub fn end(&self, text: &str, columns: usize) -> String {
        let text = self.shown(text);
        let reversed: Vec<char> = cut(text.chars().rev(), columns).collect();
        reversed.into_iter().rev().collect()
    }
}

fn pictured(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or(c),
        '\u{7f}' => '\u{2421}',
        '\u{2028}' | '\u{2029}' => ' ',
        _ => c,
    }
}

/// Terminals disagree on widths: to fit for sure, all but ASCII is taken for two columns.
fn cut(text: impl Iterator<Item = char> + Clone, columns: usize) -> impl Iterator<Item = char> {
    let widths = text.clone().map(|c| if c.is_ascii() { 1 } else { 2 });
    let ends: Vec<usize> = widths
        .scan(0, |end, width| {
            *end += width;
            Some(*end)
        })
        .collect();
    let fits = ends.last().map_or(true, |end| *end <= columns);
    let count = if fits { ends.len() } else { ends.iter().filter(|end| **end < columns).count() };
    text.take(count).chain((!fits).then(|| ELLIPSIS))
}
