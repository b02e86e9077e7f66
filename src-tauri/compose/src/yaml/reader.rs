use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use super::scalar;
use super::tabs::Patience;
use super::{Entry, Map, Node, Tag, Value};
use crate::place::Place;

/// Lists and mappings inside each other, at most.
const DEEPEST: usize = 250;
/// Nodes that aliases may add to a file, at most: far above honest use, far
/// below what hurts.
const MOST_ALIASED: usize = 200_000;
/// Copies kept for anchors, at most, in the same measure: anchors inside anchors
/// hold the innermost values many times.
const MOST_ANCHORED: usize = 2_000_000;
/// A text weighs as much as one more node for each so many bytes.
const BYTES_PER_NODE: usize = 64;

/// Why a text cannot be read as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YamlError {
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
}

/// Every document of a text. Places carry `file`.
///
/// # Errors
/// The first fault; after it nothing of the text can be trusted.
pub(crate) fn documents(bytes: &[u8], file: u32) -> Result<Vec<Node>, YamlError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error, file))?;
    let mut patience = Patience::new();
    let mut outcome = read(text, file);
    let mut smoothed = std::borrow::Cow::Borrowed(text);
    while let Err(error) = &outcome
        && let Some(text) = patience.without_tabs(&smoothed, error)
    {
        smoothed = text.into();
        outcome = read(&smoothed, file);
    }
    outcome
}

fn read(text: &str, file: u32) -> Result<Vec<Node>, YamlError> {
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        file,
        anchors: HashMap::new(),
        aliased: 0,
        anchored: 0,
    };
    let mut documents = Vec::new();
    loop {
        match reader.next()?.0 {
            Event::StreamEnd => return Ok(documents),
            Event::DocumentStart(_) => {
                reader.anchors.clear();
                let (event, place) = reader.next()?;
                if !matches!(event, Event::DocumentEnd) {
                    documents.push(reader.node(event, place)?);
                }
            }
            _ => {}
        }
    }
}

fn not_utf8(bytes: &[u8], error: std::str::Utf8Error, file: u32) -> YamlError {
    let before = &bytes[..error.valid_up_to()];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    YamlError {
        place: Place {
            file,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        },
        message: "the file is not UTF-8 text".to_owned(),
        hint: Some("Save it with the encoding UTF-8."),
    }
}

/// A finished node and what it costs.
#[derive(Clone)]
struct Built {
    node: Node,
    /// Its nodes, long texts counted as several.
    weight: usize,
    /// Lists and mappings inside each other, 0 for a scalar.
    depth: usize,
    /// Whether it is an unquoted `<<`.
    is_merge_key: bool,
}

/// A list or mapping that is still being read.
struct Open {
    place: Place,
    tag: Tag,
    anchor: usize,
    weight: usize,
    depth: usize,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map {
        map: Map,
        /// Mappings under `<<`, in order.
        merged: Vec<Map>,
        /// The key whose value comes next.
        key: Option<Key>,
    },
}

enum Key {
    Merge,
    Named(String, Place),
}

struct Reader<'t> {
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
    file: u32,
    /// Finished nodes by the parser's anchor number.
    anchors: HashMap<usize, Built>,
    aliased: usize,
    anchored: usize,
}

impl<'t> Reader<'t> {
    fn place(&self, marker: Marker) -> Place {
        Place {
            file: self.file,
            line: u32::try_from(marker.line()).unwrap_or(u32::MAX),
            column: u32::try_from(marker.col() + 1).unwrap_or(u32::MAX),
        }
    }

    fn next(&mut self) -> Result<(Event<'t>, Place), YamlError> {
        match self.parser.next_event() {
            None => Ok((Event::StreamEnd, Place::default())),
            Some(Ok((event, span))) => Ok((event, self.place(span.start))),
            Some(Err(error)) => Err(YamlError {
                place: self.place(*error.marker()),
                message: format!("not valid YAML: {}", error.info()),
                hint: hint_for(error.info()),
            }),
        }
    }

    /// The node that begins with this event. Lists and mappings that are not
    /// finished are kept on a stack of our own: the thread's would not do for
    /// deep files.
    fn node(&mut self, event: Event<'t>, place: Place) -> Result<Node, YamlError> {
        let mut stack: Vec<Open> = Vec::new();
        let (mut event, mut place) = (event, place);
        loop {
            if let Some(built) = self.step(event, place, &mut stack)? {
                match stack.last_mut() {
                    None => return Ok(built.node),
                    Some(open) => open.take(built)?,
                }
            }
            (event, place) = self.next()?;
        }
    }

    /// One event: something is finished, or a list or mapping is opened.
    fn step(
        &mut self,
        event: Event<'t>,
        place: Place,
        stack: &mut Vec<Open>,
    ) -> Result<Option<Built>, YamlError> {
        let (anchor, built) = match event {
            Event::Alias(anchor) => return self.alias(anchor, place, stack.len()).map(Some),
            Event::Scalar(text, style, anchor, tag) => {
                let core = tag.as_ref().filter(|tag| tag.is_yaml_core_schema());
                let value = scalar_value(&text, style, core.map(|tag| tag.suffix.as_str()));
                let built = Built {
                    node: tagged(place, tag_of(tag.as_deref()), value),
                    weight: 1 + text.len() / BYTES_PER_NODE,
                    depth: 0,
                    is_merge_key: style == ScalarStyle::Plain && text == "<<",
                };
                (anchor, built)
            }
            Event::SequenceStart(anchor, tag) => {
                let content = Content::List(Vec::new());
                return open(stack, place, anchor, tag.as_deref(), content);
            }
            Event::MappingStart(anchor, tag) => {
                let content = Content::Map {
                    map: Map::new(),
                    merged: Vec::new(),
                    key: None,
                };
                return open(stack, place, anchor, tag.as_deref(), content);
            }
            Event::SequenceEnd | Event::MappingEnd => match stack.pop() {
                Some(open) => (open.anchor, open.close()),
                None => return fault(place, "not valid YAML: this ends what never began", None),
            },
            _ => return fault(place, "not valid YAML: a value is missing here", None),
        };
        if anchor > 0 {
            self.anchored += built.weight;
            if self.anchored > MOST_ANCHORED {
                return fault(
                    built.node.place,
                    format!("anchors in this file hold more than {MOST_ANCHORED} values"),
                    Some("This looks like a file made to exhaust memory. Berth does not read it."),
                );
            }
            self.anchors.insert(anchor, built.clone());
        }
        Ok(Some(built))
    }

    fn alias(&mut self, anchor: usize, place: Place, depth: usize) -> Result<Built, YamlError> {
        let Some(built) = self.anchors.get(&anchor) else {
            return fault(
                place,
                "this alias refers to an anchor that contains it",
                Some("An anchor can be used only after it is complete."),
            );
        };
        self.aliased += built.weight;
        if self.aliased > MOST_ALIASED {
            return fault(
                place,
                format!("aliases in this file expand to more than {MOST_ALIASED} values"),
                Some("This looks like a file made to exhaust memory. Berth does not read it."),
            );
        }
        if depth + built.depth > DEEPEST {
            return too_deep(place);
        }
        Ok(built.clone())
    }
}

fn open(
    stack: &mut Vec<Open>,
    place: Place,
    anchor: usize,
    tag: Option<&saphyr_parser::Tag>,
    content: Content,
) -> Result<Option<Built>, YamlError> {
    if stack.len() >= DEEPEST {
        return too_deep(place);
    }
    stack.push(Open {
        place,
        tag: tag_of(tag),
        anchor,
        weight: 1,
        depth: 1,
        content,
    });
    Ok(None)
}

impl Open {
    /// Adds what comes next: an item, a key or a value.
    fn take(&mut self, built: Built) -> Result<(), YamlError> {
        self.weight += built.weight;
        self.depth = self.depth.max(built.depth + 1);
        match &mut self.content {
            Content::List(items) => items.push(built.node),
            Content::Map { map, merged, key } => match key.take() {
                None if built.is_merge_key => *key = Some(Key::Merge),
                None => *key = Some(named_key(built.node, map)?),
                Some(Key::Merge) => merge_sources(built.node, merged)?,
                Some(Key::Named(name, place)) => {
                    let node = built.node;
                    map.insert(name, Entry { place, node });
                }
            },
        }
        Ok(())
    }

    fn close(self) -> Built {
        let value = match self.content {
            Content::List(items) => Value::List(items),
            Content::Map {
                mut map, merged, ..
            } => {
                // What is written here wins over what is merged in, and an earlier
                // source over a later one.
                for source in merged {
                    for (key, entry) in source {
                        map.entry(key).or_insert(entry);
                    }
                }
                Value::Map(map)
            }
        };
        Built {
            node: tagged(self.place, self.tag, value),
            weight: self.weight,
            depth: self.depth,
            is_merge_key: false,
        }
    }
}

fn fault<T>(
    place: Place,
    message: impl Into<String>,
    hint: Option<&'static str>,
) -> Result<T, YamlError> {
    Err(YamlError {
        place,
        message: message.into(),
        hint,
    })
}

fn too_deep<T>(place: Place) -> Result<T, YamlError> {
    fault(
        place,
        format!("lists and mappings are nested more than {DEEPEST} deep"),
        Some("Berth does not read files that are nested this deeply."),
    )
}

fn named_key(key: Node, map: &Map) -> Result<Key, YamlError> {
    let Some(name) = key_text(&key) else {
        return fault(
            key.place,
            format!("a key must be a text, and this one is {}", key.describe()),
            None,
        );
    };
    match map.get(&name) {
        None => Ok(Key::Named(name, key.place)),
        Some(first) => fault(
            key.place,
            format!(
                "the key \"{name}\" is already defined in line {}",
                first.place.line
            ),
            Some("Remove one of the two."),
        ),
    }
}

fn merge_sources(value: Node, merged: &mut Vec<Map>) -> Result<(), YamlError> {
    let place = value.place;
    let sources = match value.value {
        Value::List(items) => items.into_iter().map(|item| item.value).collect(),
        value => vec![value],
    };
    for source in sources {
        match source {
            Value::Map(map) => merged.push(map),
            _ => {
                return fault(
                    place,
                    "\"<<\" takes a mapping or a list of mappings",
                    Some("Write <<: *anchor, where the anchor is on a mapping."),
                );
            }
        }
    }
    Ok(())
}

fn key_text(key: &Node) -> Option<String> {
    match &key.value {
        Value::Null => None,
        Value::Date(text) => Some(text.clone()),
        _ => key.scalar_text(),
    }
}

fn tag_of(tag: Option<&saphyr_parser::Tag>) -> Tag {
    match tag.map(|tag| (tag.handle.as_str(), tag.suffix.as_str())) {
        Some(("!", "reset")) => Tag::Reset,
        Some(("!", "override")) => Tag::Override,
        _ => Tag::None,
    }
}

fn tagged(place: Place, tag: Tag, value: Value) -> Node {
    Node {
        tag,
        ..Node::new(place, value)
    }
}

fn scalar_value(text: &str, style: ScalarStyle, core_tag: Option<&str>) -> Value {
    match core_tag {
        Some("str") => Value::Text(text.to_owned()),
        Some("null") => Value::Null,
        Some("int" | "float") => {
            scalar::number(text).unwrap_or_else(|| Value::Text(text.to_owned()))
        }
        Some("bool") => scalar::resolve(text),
        _ if style == ScalarStyle::Plain => scalar::resolve(text),
        _ => Value::Text(text.to_owned()),
    }
}

/// What to do about the parser's commonest complaints.
fn hint_for(info: &str) -> Option<&'static str> {
    let info = info.to_ascii_lowercase();
    if info.contains("tab") {
        Some("Indent with spaces; YAML does not allow tabs there.")
    } else if info.contains("unknown anchor") {
        Some("Define the anchor (&name) earlier in the same file.")
    } else if info.contains("mapping values") {
        Some("Check the indentation, and put values that contain \": \" in quotes.")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Node {
        documents(text.as_bytes(), 0).unwrap().remove(0)
    }

    fn fault(text: &str) -> YamlError {
        documents(text.as_bytes(), 0).unwrap_err()
    }

    #[test]
    fn every_value_knows_its_place() {
        let root = one("a: 1\nb:\n  - x\n  - {c: y}\n");
        let list = root.get("b").unwrap().as_list().unwrap();
        assert_eq!((list[0].place.line, list[0].place.column), (3, 5));
        let c = &list[1].as_map().unwrap()["c"];
        assert_eq!((c.place.line, c.place.column), (4, 6));
        assert_eq!((c.node.place.line, c.node.place.column), (4, 9));
    }

    #[test]
    fn merge_keys_fill_in_and_do_not_overwrite() {
        let root = one("x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz: {<<: [*x, *y], a: 9}\n");
        let z = root.get("z").unwrap();
        for (key, expected) in [("a", 9), ("b", 2), ("c", 4)] {
            assert!(
                matches!(z.get(key).unwrap().value, Value::Int(value) if value == expected),
                "{key}"
            );
        }
        assert!(one("a: {'<<': x}").get("a").unwrap().get("<<").is_some());
        assert!(fault("a: &a [1]\nb: {<<: *a}").message.contains("<<"));
    }

    #[test]
    fn a_tab_may_stand_between_key_and_value() {
        let root = one("a:\tb\nc:\t\t7 # d\ne: |\n  k:\tv\n");
        assert_eq!(root.get("a").unwrap().as_text(), Some("b"));
        assert_eq!(root.get("c").unwrap().place.column, 5);
        assert_eq!(root.get("e").unwrap().as_text(), Some("k:\tv\n"));
        assert!(documents(b"a:\t- b\n", 0).is_err());
        assert!(documents(b"a:\tb: c\n", 0).is_err());
    }

    #[test]
    fn tags_for_merging_are_kept_and_others_ignored() {
        let root = one("a: !reset null\nb: !override [x]\nc: !thing 5\nd: !!str 5\n");
        assert_eq!(root.get("a").unwrap().tag, Tag::Reset);
        assert_eq!(root.get("b").unwrap().tag, Tag::Override);
        assert_eq!(root.get("c").unwrap().tag, Tag::None);
        assert_eq!(root.get("d").unwrap().as_text(), Some("5"));
    }

    #[test]
    fn a_second_key_of_the_same_name_is_an_error_with_both_lines() {
        let error = fault("a: 1\nb: 2\na: 3\n");
        assert_eq!((error.place.line, error.place.column), (3, 1));
        assert!(error.message.contains("line 1"), "{}", error.message);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_located() {
        let error = documents(b"a: b\nc: caf\xe9\n", 0).unwrap_err();
        assert_eq!((error.place.line, error.place.column), (2, 7));
    }

    #[test]
    fn bombs_and_depth_are_bounded() {
        let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for level in 1..30 {
            let previous = level - 1;
            bomb += &format!("a{level}: &a{level} [");
            bomb += &vec![format!("*a{previous}"); 10].join(",");
            bomb += "]\n";
        }
        assert!(fault(&bomb).message.contains("aliases"));

        let mut chain = String::from("a0: &a0 {k: v}\n");
        for level in 1..200_000 {
            chain += &format!("a{level}: &a{level} {{<<: *a{}}}\n", level - 1);
        }
        assert!(documents(chain.as_bytes(), 0).is_err());

        let deep = format!("a: {}{}", "[".repeat(10_000), "]".repeat(10_000));
        let message = fault(&deep).message;
        assert!(
            message.contains("deep") || message.contains("recursion"),
            "{message}"
        );
        let mut nested = String::from("a0: &a0 [x]\n");
        for level in 1..2_000 {
            nested += &format!("a{level}: &a{level} [*a{}]\n", level - 1);
        }
        assert!(documents(nested.as_bytes(), 0).is_err());
        let mut block = String::new();
        for level in 0..3_000 {
            block += &" ".repeat(level);
            block += "a:\n";
        }
        assert!(fault(&block).message.contains("deep"));
    }

    #[test]
    fn an_anchor_inside_itself_is_an_error() {
        assert!(documents(b"a: &a [*a]", 0).is_err());
    }
}
