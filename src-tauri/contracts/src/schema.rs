//! What a document may hold, as data that is written once and read by the validator, the JSON Schema
//! generator and, through that, the window's forms. Everything here is `const`: a schema costs
//! nothing to have.

use crate::pattern::Pattern;
use crate::template::Scope;

/// What one value may be, and how it is spoken of.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The Rust type that it describes; documents and their parts are named, plain values are not.
    pub(crate) name: Option<&'static str>,
    /// The lines of the doc comment: its first paragraph is the label, the rest the description.
    pub(crate) doc: &'static [&'static str],
    pub(crate) shape: Shape,
    pub(crate) entry: Entry,
    /// A value to show where nothing was entered, as JSON.
    pub(crate) example: Option<&'static str>,
    /// What an absent value stands for, as JSON.
    pub(crate) default: Option<&'static str>,
    /// The variables for the templates in here; the nearest enclosing one counts.
    pub(crate) scope: Option<&'static Scope>,
    /// Which part of it a form shows; all of it, when there is none.
    pub(crate) form: Option<&'static FormPart>,
    /// Documents to begin with.
    pub(crate) starters: &'static [Starter],
    /// Of a field: a form shows it when the field beside it of this key has one of these values.
    pub(crate) when: Option<(&'static str, &'static [&'static str])>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Anything at all.
    Any,
    Text(Text),
    Number(Number),
    Boolean,
    Choice(&'static [Choice]),
    Array(&'static Schema),
    /// Any keys, each with a value of this.
    Record(&'static Schema),
    /// May be `null`; its key may not be missing.
    Nullable(&'static Schema),
    Object(&'static [Field]),
    Union(Union),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    /// White space at both ends goes, before the rules are applied.
    pub(crate) trim: bool,
    /// Applied in order; each that is broken is an issue of its own.
    pub(crate) rules: &'static [TextRule],
}

/// A rule for a text. Lengths count UTF-16 code units.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextRule {
    AtLeast(usize),
    AtMost(usize),
    Matches(Pattern),
    /// Not one of these, which are taken.
    Not(&'static [&'static str]),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) whole: bool,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// One of the words that a value may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) value: &'static str,
    pub(crate) doc: &'static [&'static str],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) key: &'static str,
    pub(crate) doc: &'static [&'static str],
    pub(crate) required: bool,
    pub(crate) schema: &'static Schema,
}

/// One of several objects, told apart by the text at one key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Union {
    pub(crate) discriminator: &'static str,
    pub(crate) branches: &'static [Branch],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    /// The text that selects it. `None`: any text that the object's own field of that key allows;
    /// asked after every other branch.
    pub(crate) tag: Option<&'static str>,
    pub(crate) doc: &'static [&'static str],
    /// Always a [`Shape::Object`].
    pub(crate) object: &'static Schema,
}

/// How a text or a number is entered in a form; it does not change what is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Plain,
    /// A text of several lines.
    Long,
    /// A PEM block.
    Pem,
    /// A text with placeholders, see [`crate::template`].
    Template,
    /// A template of several lines.
    LongTemplate,
    /// A secret value: entered, never shown.
    SecretValue,
    /// An object that names a secret.
    SecretReference,
    /// A number (or a text of digits) of milliseconds, entered as a duration.
    Milliseconds,
    /// The same in minutes.
    Minutes,
    /// The digits of a TCP port, for which the number itself is taken as well.
    Port,
}

/// The part of a document that a form shows, and what it fills in for the rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormPart {
    /// What is shown, in this order.
    pub(crate) shown: &'static [Shown],
    /// JSON that a new document has in the places that are not shown.
    pub(crate) filled: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// JSON pointer, from the object that the part belongs to.
    pub(crate) at: &'static str,
    /// What the value means here, where the document itself leaves it open.
    pub(crate) settings: Option<&'static Schema>,
}

/// A document to begin with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Starter {
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// The document, as JSON.
    pub(crate) document: &'static str,
}

impl Schema {
    pub(crate) const fn of(shape: Shape) -> Self {
        Self {
            name: None,
            doc: &[],
            shape,
            entry: Entry::Plain,
            example: None,
            default: None,
            scope: None,
            form: None,
            starters: &[],
            when: None,
        }
    }

    pub(crate) const ANY: Self = Self::of(Shape::Any);

    /// A text kept as it is.
    pub(crate) const fn text(rules: &'static [TextRule]) -> Self {
        Self::of(Shape::Text(Text { trim: false, rules }))
    }

    /// A text without white space at its ends.
    pub(crate) const fn trimmed(rules: &'static [TextRule]) -> Self {
        Self::of(Shape::Text(Text { trim: true, rules }))
    }

    pub(crate) const fn number(at_least: Option<f64>, at_most: Option<f64>) -> Self {
        Self::of(Shape::Number(Number {
            whole: false,
            at_least,
            at_most,
        }))
    }

    pub(crate) const fn whole_number(at_least: f64, at_most: f64) -> Self {
        Self::of(Shape::Number(Number {
            whole: true,
            at_least: Some(at_least),
            at_most: Some(at_most),
        }))
    }

    pub(crate) const fn named(mut self, name: &'static str, doc: &'static [&'static str]) -> Self {
        self.name = Some(name);
        self.doc = doc;
        self
    }

    pub(crate) const fn entered_as(mut self, entry: Entry) -> Self {
        self.entry = entry;
        self
    }

    pub(crate) const fn example(mut self, json: &'static str) -> Self {
        self.example = Some(json);
        self
    }

    pub(crate) const fn default(mut self, json: &'static str) -> Self {
        self.default = Some(json);
        self
    }

    pub(crate) const fn in_scope(mut self, scope: &'static Scope) -> Self {
        self.scope = Some(scope);
        self
    }

    pub(crate) const fn shown_as(mut self, part: &'static FormPart) -> Self {
        self.form = Some(part);
        self
    }

    pub(crate) const fn starting_with(mut self, starters: &'static [Starter]) -> Self {
        self.starters = starters;
        self
    }

    /// A field that means something only beside these values of another one.
    pub(crate) const fn when(mut self, key: &'static str, values: &'static [&'static str]) -> Self {
        self.when = Some((key, values));
        self
    }

    /// The fields of an object; none for anything else.
    pub(crate) const fn fields(&self) -> &'static [Field] {
        match self.shape {
            Shape::Object(fields) => fields,
            _ => &[],
        }
    }

    /// What it is called, in the words of the contract.
    #[must_use]
    pub fn title(&self) -> String {
        crate::doc_text::title(self.doc)
    }

    /// What it is for.
    #[must_use]
    pub fn description(&self) -> String {
        crate::doc_text::description(self.doc)
    }
}
