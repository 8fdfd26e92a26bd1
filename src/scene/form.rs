//! From a scene's text to the form of a file. What the readers of TOML say of a wrong value is put into a file's words.

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::File;
use super::place::{self, Key, Source};
use crate::error::shortened;
use crate::{Error, Result};

/// Reads a text.
///
/// # Errors
/// [`Error::Scene`] with line, key and what is accepted there.
pub(super) fn read(source: Source<'_>) -> Result<File> {
    let text = DeTable::parse(source.text);
    let table = text.map_err(|error| source.error(error.span().unwrap_or(0..0), shortened(error.message(), 300)))?;
    check_tables(source, table.get_ref())?;
    File::deserialize(toml::Deserializer::from(table)).map_err(|error| unreadable(source, &error))
}

/// How the tables of a key stand in a file.
enum Tables {
    /// `[key]`
    One,
    /// `[key.NAME]`
    Named,
    /// `[[key]]`
    Listed,
}

const TABLES: [(&Key, Tables); 10] = [
    (&place::WORLD, Tables::One),
    (&place::STEP, Tables::One),
    (&place::CANNON, Tables::One),
    (&place::MATERIALS, Tables::Named),
    (&place::CHARACTERS, Tables::Named),
    (&place::WHEELS, Tables::Named),
    (&place::SURFACES, Tables::Listed),
    (&place::SEGMENTS, Tables::Listed),
    (&place::COUNTERS, Tables::Listed),
    (&place::SPAWNS, Tables::Listed),
];

/// Refuses a list where a table is meant, and the like: the reader would take a list for a table's values in turn.
fn check_tables(source: Source<'_>, file: &DeTable<'_>) -> Result<()> {
    for (key, tables) in &TABLES {
        let given = file.iter().find(|(name, _)| name.get_ref() == key.name).map(|(_, value)| value);
        if let Some(wrong) = given.and_then(|value| tables.misfit(value)) {
            return Err(source.refused(wrong.span(), described(wrong.get_ref()), key));
        }
    }
    Ok(())
}

impl Tables {
    /// The value, or the first part of it, that is not what it should be.
    fn misfit<'a, 'i>(&self, value: &'a Spanned<DeValue<'i>>) -> Option<&'a Spanned<DeValue<'i>>> {
        let is_table = |value: &&Spanned<DeValue>| matches!(value.get_ref(), DeValue::Table(_));
        match (self, value.get_ref()) {
            (Self::One, DeValue::Table(_)) => None,
            (Self::Named, DeValue::Table(named)) => named.iter().map(|(_, value)| value).find(|value| !is_table(value)),
            (Self::Listed, DeValue::Array(listed)) => listed.iter().find(|value| !is_table(value)),
            _ => Some(value),
        }
    }
}

/// What is wrong with a text that is TOML: a key that there is not, or a value that is not what its key accepts.
fn unreadable(source: Source<'_>, error: &toml::de::Error) -> Error {
    let span = error.span().unwrap_or(0..0);
    if error.message().starts_with("unknown field") {
        let known = error.message().rsplit_once("expected ").map(|(_, known)| known.trim_start_matches("one of "));
        return source.error(span, format!("is no key here; the keys are {}", known.unwrap_or("none")));
    }
    let Ok(table) = DeTable::parse(source.text) else { return source.error(span, "can't be read as TOML") };
    let found = table.get_ref().iter().find_map(|(_, value)| innermost(value, span.start));
    let found = found.map_or("what is given".into(), described);
    match source.key_at(span.start) {
        Some(key) => source.refused(span, found, key),
        None => source.error(span, format!("{found} is refused; see docs/scene-format.md")),
    }
}

/// The innermost value at a place of the text. The depth is bounded by the parser's.
fn innermost<'a, 'i>(value: &'a Spanned<DeValue<'i>>, offset: usize) -> Option<&'a DeValue<'i>> {
    let inside = match value.get_ref() {
        DeValue::Table(table) => table.iter().find_map(|(_, value)| innermost(value, offset)),
        DeValue::Array(array) => array.iter().find_map(|value| innermost(value, offset)),
        _ => None,
    };
    inside.or_else(|| value.span().contains(&offset).then_some(value.get_ref()))
}

/// A value as an error quotes it.
fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{}\"", shortened(text, 60)),
        DeValue::Integer(number) => shortened(&number.to_string(), 60),
        DeValue::Float(number) => shortened(number.as_str(), 60),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(list) => format!("a list of {}", list.len()),
        DeValue::Table(_) => "a table".into(),
    }
}
