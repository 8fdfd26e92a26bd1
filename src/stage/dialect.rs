//! What kernels are written for: hardware, or an adapter that is a program on the CPU, as lavapipe.
//!
//! Records, homes, cells and lists that a kernel only reads, it reads by a function, as `bodies_at(i)`. On hardware the function
//! reads the buffer. lavapipe takes a buffer's words one by one and lane by lane, by way of memory, but a texel at once:
//! there the function reads a texture that holds the buffer's words, copied when they have changed. What has other elements
//! or is read by few kernels is read from its buffer everywhere.
//!
//! lavapipe also gathers a scalar of a uniform lane by lane once it is behind a branch. In the software dialect the scalars that
//! kernels read within loops, of three uniforms, are read as the kernel begins.

use super::kernel::Kernel;
use super::{Access, Buffer};
use crate::params::{Kick, Params, Pointer};

/// Texels in a row of a texture; a record's two lie side by side.
pub(crate) const TEXELS_A_ROW: u32 = 8192;

/// Textures that a kernel reads at most.
pub(crate) const MOST_TEXTURES: u32 = 6;

/// The kind of adapter that kernels are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dialect {
    Hardware,
    /// Textures are read in place of buffers, uniforms as a kernel begins, and `contact_pass` is done in two.
    Software,
}

/// An element of an array that is read by a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Record,
    Home,
    Pair,
    Word,
}

/// The uniforms whose scalars are read as a kernel begins.
const READ_AT_ONCE: [(Buffer, &str); 3] =
    [(Buffer::Params, Params::WGSL), (Buffer::Kick, Kick::WGSL), (Buffer::Pointer, Pointer::WGSL)];

/// What an array holds if it is read by a function.
fn element_of((buffer, access): (Buffer, Access)) -> Option<Element> {
    if !matches!(access, Access::Read | Access::Seldom) {
        return None;
    }
    match buffer {
        Buffer::Bodies => Some(Element::Record),
        Buffer::Homes => Some(Element::Home),
        Buffer::CellOf | Buffer::Members | Buffer::Nearby => Some(Element::Pair),
        Buffer::CellStart | Buffer::Candidates | Buffer::Supporter => Some(Element::Word),
        _ => None,
    }
}

impl Element {
    fn wgsl(self) -> &'static str {
        match self {
            Self::Record => "Record",
            Self::Home => "Home",
            Self::Pair => "vec2<u32>",
            Self::Word => "u32",
        }
    }

    /// A texture of such elements.
    fn texture(self) -> &'static str {
        match self {
            Self::Record | Self::Home => "texture_storage_2d<rgba32uint, read>",
            Self::Pair => "texture_storage_2d<rg32uint, read>",
            Self::Word => "texture_storage_2d<r32uint, read>",
        }
    }

    /// The function of `texels.wgsl` that reads it.
    fn in_texels(self) -> &'static str {
        match self {
            Self::Record => "record_in",
            Self::Home => "home_in",
            Self::Pair => "pair_in",
            Self::Word => "word_in",
        }
    }
}

impl Dialect {
    /// What a texture holds that is bound in a buffer's place; none on hardware.
    pub(crate) fn texels_of(self, bound: (Buffer, Access)) -> Option<Element> {
        element_of(bound).filter(|_| self == Self::Software)
    }

    /// A kernel's source with the functions that read its arrays. It declares all as hardware binds them.
    pub(super) fn translated(self, kernel: Kernel, mut source: String) -> String {
        for &bound in kernel.bindings() {
            let Some(element) = element_of(bound) else { continue };
            let (name, ty) = (bound.0.shader_name(), element.wgsl());
            let read = match self {
                Self::Hardware => format!("{name}[at]"),
                Self::Software => {
                    let in_buffer = format!("var<storage, read> {name}: array<{ty}>;");
                    source = source.replace(&in_buffer, &format!("var {name}: {};", element.texture()));
                    format!("{}({name}, at)", element.in_texels())
                }
            };
            source += &format!("\nfn {name}_at(at: u32) -> {ty} {{\n    return {read};\n}}\n");
        }
        let buffers = kernel.bindings().iter().map(|&(buffer, _)| buffer);
        match self {
            Self::Hardware => source,
            Self::Software => self.reading_at_once(source, buffers) + include_str!("../../shaders/texels.wgsl"),
        }
    }

    /// A kernel's source with the scalars of its uniforms read as it begins, where that is better.
    pub(crate) fn reading_at_once(self, source: String, bound: impl Iterator<Item = Buffer> + Clone) -> String {
        let read = |source: String, (uniform, declared): (Buffer, &str)| {
            let is_bound = self == Self::Software && bound.clone().any(|buffer| buffer == uniform);
            if is_bound { read_at_once(source, &uniform.shader_name(), declared) } else { source }
        };
        READ_AT_ONCE.into_iter().fold(source, read)
    }
}

/// The source of a kernel with the scalars of a uniform read as its entry point begins, and nowhere else.
fn read_at_once(mut source: String, uniform: &str, declared: &str) -> String {
    let fields = declared.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(": "));
    let scalars: Vec<(&str, &str)> = fields.filter(|(_, ty)| matches!(*ty, "u32" | "f32")).collect();
    for (name, _) in &scalars {
        source = with_word_replaced(&source, &format!("{uniform}.{name}"), &format!("once_{uniform}.{name}"));
    }
    let members: String = scalars.iter().map(|(name, ty)| format!("    {name}: {ty},\n")).collect();
    let values: Vec<String> = scalars.iter().map(|(name, _)| format!("{uniform}.{name}")).collect();
    const OPENING: &str = ") {";
    let entry = source.find("@compute").expect("a kernel has an entry point");
    let body = entry + source[entry..].find(OPENING).expect("an entry point has a body") + OPENING.len();
    source.insert_str(body, &format!("\n    once_{uniform} = Once_{uniform}({});", values.join(", ")));
    source + &format!("\nstruct Once_{uniform} {{\n{members}}}\nvar<private> once_{uniform}: Once_{uniform};\n")
}

/// Replaces a word wherever it does not go on in another.
fn with_word_replaced(source: &str, word: &str, by: &str) -> String {
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    let mut parts = source.split(word);
    let mut replaced = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let is_whole = !replaced.ends_with(goes_on) && !part.starts_with(goes_on);
        replaced += if is_whole { by } else { word };
        replaced += part;
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_replaced_where_it_is_whole() {
        let replaced = with_word_replaced("a.x + a.xy - (a.x) * ba.x + a.x", "a.x", "b");
        assert_eq!(replaced, "b + a.xy - (b) * ba.x + b");
    }

    #[test]
    fn scalars_are_read_as_the_entry_point_begins_and_arrays_where_they_are() {
        let source = "fn two() -> f32 { return p.x; }\n@compute @workgroup_size(64)\nfn main(\n    i: u32,\n) {\n    \
                      let y = p.ys[i] + p.x;\n}\n";
        let read =
            read_at_once(source.into(), "p", "struct P {\n    x: f32,\n    ys: array<f32, 2>,\n    n: u32,\n}\n");
        assert_eq!(
            read,
            "fn two() -> f32 { return once_p.x; }\n@compute @workgroup_size(64)\nfn main(\n    i: u32,\n) {\n    \
             once_p = Once_p(p.x, p.n);\n    let y = p.ys[i] + once_p.x;\n}\n\n\
             struct Once_p {\n    x: f32,\n    n: u32,\n}\nvar<private> once_p: Once_p;\n"
        );
    }
}
