//! How values of the vocabulary lie in columns.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::redaction::{redact, redact_json};

/// A text in which anything may stand, as an engine or a container said it:
/// written clean of what looks like a secret.
pub(super) struct Free<'t>(pub(super) &'t str);

impl ToSql for Free<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(redact(self.0)))
    }
}

/// A value as JSON text, each text in it as [`Free`].
pub(super) struct FreeJson<T>(pub(super) T);

impl<T: Serialize> ToSql for FreeJson<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        serde_json::to_value(&self.0)
            .map(|value| ToSqlOutput::from(redact_json(value).to_string()))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
    }
}

/// A value as JSON text.
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        serde_json::to_string(&self.0)
            .map(ToSqlOutput::from)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?)
            .map(Self)
            .map_err(|error| FromSqlError::Other(error.into()))
    }
}

/// A variant without fields as the bare word that serde gives it.
pub(super) struct Word<T>(pub(super) T);

impl<T: Serialize> ToSql for Word<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match serde_json::to_value(&self.0) {
            Ok(serde_json::Value::String(word)) => Ok(ToSqlOutput::from(word)),
            Ok(_) => Err(rusqlite::Error::ToSqlConversionFailure(
                "a variant with fields is no word".into(),
            )),
            Err(error) => Err(rusqlite::Error::ToSqlConversionFailure(error.into())),
        }
    }
}

impl<T: DeserializeOwned> FromSql for Word<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_value(value.as_str()?.into())
            .map(Self)
            .map_err(|error| FromSqlError::Other(error.into()))
    }
}
