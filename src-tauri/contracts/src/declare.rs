//! Says a document once: the Rust type, how it is read and written, and the [`Schema`] that its
//! validation, JSON Schema and form come from, all out of one declaration.
//!
//! In a doc comment the first paragraph is the label that people see, the rest the description.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::schema::{Entry, Schema, Shape};

/// A type whose values the contract describes.
pub trait Described {
    /// What its values may be.
    const SCHEMA: &'static Schema;
}

impl Described for String {
    const SCHEMA: &'static Schema = &Schema::text(&[]);
}

impl Described for bool {
    const SCHEMA: &'static Schema = &Schema::of(Shape::Boolean);
}

impl Described for f64 {
    const SCHEMA: &'static Schema = &Schema::number(None, None);
}

impl Described for serde_json::Value {
    const SCHEMA: &'static Schema = &Schema::ANY;
}

impl<T: Described> Described for Vec<T> {
    const SCHEMA: &'static Schema = &Schema::of(Shape::Array(T::SCHEMA));
}

impl<T: Described> Described for BTreeMap<String, T> {
    const SCHEMA: &'static Schema = &Schema::of(Shape::Record(T::SCHEMA));
}

impl<T: Described> Described for Box<T> {
    const SCHEMA: &'static Schema = T::SCHEMA;
}

/// A value that is there but may be `null`; an `Option` field may be missing, but not `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct Nullable<T>(pub Option<T>);

impl<T: Described> Described for Nullable<T> {
    const SCHEMA: &'static Schema = &Schema::of(Shape::Nullable(T::SCHEMA));
}

/// Texts that are secret values.
pub type SecretValues = BTreeMap<String, String>;

pub(crate) const SECRET_VALUES: &Schema = &Schema::of(Shape::Record(SECRET_VALUE));

pub(crate) const SECRET_VALUE: &Schema = &Schema::text(&[]).entered_as(Entry::SecretValue);

/// Reads a field that may be missing: `null` is for the field's own type to take or refuse.
pub(crate) fn present<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// An object. `"key" field: Type,` is required, `"key" field?: Type,` may be missing and is an
/// `Option`. `= SCHEMA` narrows what the type alone allows. `with method(argument)` before the
/// fields adds to the object's own schema.
macro_rules! document {
    (
        $(#[doc = $doc:tt])*
        pub struct $name:ident $(with $method:ident($argument:expr))* { $($fields:tt)* }
    ) => {
        document! { @next [$($doc)*] $name [$($method($argument))*] [] [] $($fields)* }
    };
    (
        @next $docs:tt $name:ident $more:tt [$($members:tt)*] [$($schema:tt)*]
        $(#[doc = $doc:tt])* $key:literal $member:ident: $type:ty $(= $rule:expr)?,
        $($rest:tt)*
    ) => {
        document! {
            @next $docs $name $more
            [
                $($members)*
                $(#[doc = $doc])*
                #[serde(rename = $key)]
                pub $member: $type,
            ]
            [$($schema)* { [$($doc)*] $key true $type, $($rule)? }]
            $($rest)*
        }
    };
    (
        @next $docs:tt $name:ident $more:tt [$($members:tt)*] [$($schema:tt)*]
        $(#[doc = $doc:tt])* $key:literal $member:ident ?: $type:ty $(= $rule:expr)?,
        $($rest:tt)*
    ) => {
        document! {
            @next $docs $name $more
            [
                $($members)*
                $(#[doc = $doc])*
                #[serde(
                    rename = $key,
                    default,
                    deserialize_with = "crate::declare::present",
                    skip_serializing_if = "Option::is_none"
                )]
                #[ts(optional)]
                pub $member: Option<$type>,
            ]
            [$($schema)* { [$($doc)*] $key false $type, $($rule)? }]
            $($rest)*
        }
    };
    (
        @next [$($doc:tt)*] $name:ident [$($method:ident($argument:expr))*] [$($members:tt)*]
        [$({ [$($field_doc:tt)*] $key:tt $required:literal $type:ty, $($rule:expr)? })*]
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, ts_rs::TS)]
        pub struct $name { $($members)* }

        impl crate::declare::Described for $name {
            const SCHEMA: &'static crate::schema::Schema =
                &crate::schema::Schema::of(crate::schema::Shape::Object(const {
                    &[$(crate::schema::Field {
                        key: $key,
                        doc: &[$($field_doc),*],
                        required: $required,
                        schema: crate::declare::rule!($type, $($rule)?),
                    },)*]
                }))
                .named(stringify!($name), &[$($doc),*])
                $(.$method($argument))*;
        }
    };
}

/// The schema of a field: its own rule, or what its type allows.
macro_rules! rule {
    ($type:ty,) => {
        <$type as crate::declare::Described>::SCHEMA
    };
    ($type:ty, $rule:expr) => {
        const { $rule }
    };
}

/// A set of words: `Variant = "word",`.
macro_rules! choice {
    (
        $(#[doc = $doc:tt])*
        pub enum $name:ident {
            $($(#[doc = $word_doc:tt])* $variant:ident = $word:tt,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, ts_rs::TS,
        )]
        pub enum $name {
            $($(#[doc = $word_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl crate::declare::Described for $name {
            const SCHEMA: &'static crate::schema::Schema =
                &crate::schema::Schema::of(crate::schema::Shape::Choice(&[
                    $(crate::schema::Choice { value: $word, doc: &[$($word_doc),*] },)*
                ]))
                .named(stringify!($name), &[$($doc),*]);
        }
    };
}

/// One of several objects, told apart by the text at one key: `"tag" Variant(Object),`, or
/// `Variant(Object),` last, for every other text that the object's own field of that key allows.
macro_rules! union {
    (
        $(#[doc = $doc:tt])*
        pub enum $name:ident by $discriminator:tt $(with $method:ident($argument:expr))* {
            $($(#[doc = $branch_doc:tt])* $tag:literal $variant:ident($object:ty),)*
            $(other $(#[doc = $other_doc:tt])* $other:ident($other_object:ty),)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, ts_rs::TS)]
        #[serde(tag = $discriminator)]
        pub enum $name {
            $($(#[doc = $branch_doc])* #[serde(rename = $tag)] $variant($object),)*
            $($(#[doc = $other_doc])* #[serde(untagged)] $other($other_object),)?
        }

        impl crate::declare::Described for $name {
            const SCHEMA: &'static crate::schema::Schema =
                &crate::schema::Schema::of(crate::schema::Shape::Union(crate::schema::Union {
                    discriminator: $discriminator,
                    branches: const { &[
                        $(crate::schema::Branch {
                            tag: Some($tag),
                            doc: &[$($branch_doc),*],
                            object: <$object as crate::declare::Described>::SCHEMA,
                        },)*
                        $(crate::schema::Branch {
                            tag: None,
                            doc: &[$($other_doc),*],
                            object: <$other_object as crate::declare::Described>::SCHEMA,
                        },)?
                    ] },
                }))
                .named(stringify!($name), &[$($doc),*])
                $(.$method($argument))*;
        }
    };
}

pub(crate) use {choice, document, rule, union};
