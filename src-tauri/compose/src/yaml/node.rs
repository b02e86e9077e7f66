use indexmap::IndexMap;

use crate::place::Place;

/// A mapping in file order.
pub(crate) type Map = IndexMap<String, Entry>;

/// One key of a mapping with its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Where the key stands.
    pub(crate) place: Place,
    pub(crate) node: Node,
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) tag: Tag,
    /// Whether variables were put in: such a value may be secret and is not told.
    pub(crate) substituted: bool,
    pub(crate) value: Value,
}

/// The tags that mean something in a compose file. Others are ignored, as
/// Docker Compose does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tag {
    #[default]
    None,
    /// `!reset`: remove what earlier files said.
    Reset,
    /// `!override`: replace instead of merge.
    Override,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// An unquoted date, which Docker Compose accepts nowhere.
    Date(String),
    Text(String),
    List(Vec<Node>),
    Map(Map),
    /// Already reported as wrong; passes every later check.
    Broken,
}

impl Node {
    pub(crate) fn new(place: Place, value: Value) -> Self {
        Self {
            place,
            tag: Tag::None,
            substituted: false,
            value,
        }
    }

    pub(crate) fn text(place: Place, text: impl Into<String>) -> Self {
        Self::new(place, Value::Text(text.into()))
    }

    /// What it is, for messages: "a list", "the number 5".
    pub(crate) fn describe(&self) -> String {
        match &self.value {
            Value::Null => "empty".to_owned(),
            Value::Bool(value) => format!("the boolean {value}"),
            Value::Int(value) => format!("the number {value}"),
            Value::Float(value) => format!("the number {}", float_text(*value)),
            Value::Date(text) => format!("the date {text}"),
            Value::Text(_) if self.substituted => "what the variables give".to_owned(),
            Value::Text(text) if text.chars().count() <= 60 && !text.contains('\n') => {
                format!("\"{text}\"")
            }
            Value::Text(_) => "a text".to_owned(),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
            Value::Broken => "a broken value".to_owned(),
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_map(&self) -> Option<&Map> {
        match &self.value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    pub(crate) fn as_map_mut(&mut self) -> Option<&mut Map> {
        match &mut self.value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The value under a key, when this is a mapping that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.as_map()?.get(key).map(|entry| &entry.node)
    }

    /// A scalar as the text a container would see (`1.0` is `1`, as Docker
    /// Compose prints numbers). `None` for null, lists, mappings and dates.
    pub(crate) fn scalar_text(&self) -> Option<String> {
        match &self.value {
            Value::Text(text) => Some(text.clone()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Int(value) => Some(value.to_string()),
            Value::Float(value) => Some(float_text(*value)),
            Value::Null | Value::Date(_) | Value::List(_) | Value::Map(_) | Value::Broken => None,
        }
    }

    /// Whether two trees say the same, places aside.
    pub(crate) fn same(&self, other: &Node) -> bool {
        match (&self.value, &other.value) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Text(a), Value::Text(b)) | (Value::Date(a), Value::Date(b)) => a == b,
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (Value::Map(a), Value::Map(b)) => {
                a.len() == b.len()
                    && a.iter().all(|(key, entry)| {
                        b.get(key).is_some_and(|other| entry.node.same(&other.node))
                    })
            }
            _ => false,
        }
    }
}

/// The shortest form that reads back to the same number, with an exponent from
/// 1e21 up and below 1e-4, as Go prints floats.
fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(rest) => ('-', rest),
            None => ('+', exponent),
        };
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_printed_as_docker_compose_prints_them() {
        assert_eq!(float_text(1.0), "1");
        assert_eq!(float_text(0.5), "0.5");
        assert_eq!(float_text(1e21), "1e+21");
        assert_eq!(float_text(1.5e-7), "1.5e-07");
    }
}
