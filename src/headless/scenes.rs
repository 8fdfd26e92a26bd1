//! `ballpit scenes`: the named scenes, a line each.

use ballpit::Scene;

use super::{Stop, print};

/// Prints each name and what happens there.
pub(crate) fn scenes() -> Result<(), Stop> {
    let width = Scene::names().map(|(name, _)| name.len()).max().unwrap_or_default();
    Scene::names()
        .try_for_each(|(name, description)| print(format_args!("{name:width$}  {description}").to_string().trim_end()))
}
