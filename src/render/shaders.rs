//! The drawing shaders' whole sources.

use super::colour;
use super::colour::ColourParams;
use super::overlays;
use super::sift;
use super::view::{BarParams, ColourBy, EdgeParams, LINE_PX, OUTLINE_EDGES, Show, ViewParams};
use crate::grid::LEVELS;
use crate::params::LevelParams;
use crate::segment::{CORNER, LEAST_COSINE};
use crate::stage::{SCAN_WORKGROUP, SLOTS, WORKGROUP};
use crate::{Counter, Material, Record, Surface};

/// The discs' shader, for a target that encodes sRGB by itself or one that stores what it is given; with spokes where
/// balls turn.
pub(crate) fn circles(target_encodes: bool, spoked: bool) -> String {
    let spoked = format!("const SPOKED = {spoked};\nconst CORNERS = {}u;\n", sift::CORNERS);
    prelude(target_encodes) + &spoked + BALLS + include_str!("../../shaders/circles.wgsl")
}

/// What the discs' shader and the kernel that sifts balls share.
const BALLS: &str = include_str!("../../shaders/balls.wgsl");

/// The kernel that finds out how each ball is drawn.
pub(crate) fn sift() -> String {
    prelude(false) + &crowds() + BALLS + include_str!("../../shaders/sift.wgsl")
}

/// The kernel that lists the discs.
pub(crate) fn list_discs() -> String {
    let sizes = format!("const SCAN_WORKGROUP = {SCAN_WORKGROUP}u;\nconst CORNERS = {}u;\n", sift::CORNERS);
    sizes + include_str!("../../shaders/scan.wgsl") + include_str!("../../shaders/list_discs.wgsl")
}

/// The crowd's shader.
pub(crate) fn crowd(target_encodes: bool) -> String {
    prelude(target_encodes) + &crowds() + include_str!("../../shaders/crowd.wgsl")
}

fn crowds() -> String {
    format!("const SHARES: f32 = {:?};\nconst DISC_BLOCK = {}u;\n", sift::SHARES, sift::DISC_BLOCK)
}

/// The edges' and the spring's shader.
pub(crate) fn lines(target_encodes: bool) -> String {
    prelude(target_encodes) + include_str!("../../shaders/lines.wgsl")
}

/// The shader of what is drawn over the balls and under them.
pub(crate) fn overlays(target_encodes: bool) -> String {
    let floats =
        [("VELOCITY_S", Show::VELOCITY_S), ("TOUCHING", overlays::TOUCHING), ("ARROW_GAP", overlays::ARROW_GAP_PX)];
    let mut source = prelude(target_encodes);
    source.extend(floats.map(|(name, value)| format!("const {name}: f32 = {value:?};\n")));
    source += &format!("const ARROWS = {}u;\n", overlays::ARROWS);
    source + include_str!("../../shaders/overlays.wgsl")
}

fn prelude(target_encodes: bool) -> String {
    let mut source = format!("const TARGET_ENCODES = {target_encodes};\nconst LINE_PX: f32 = {LINE_PX:?};\n");
    let constants = [
        ("WORKGROUP", WORKGROUP),
        ("HELD", Record::HELD),
        ("DRIVEN", Record::DRIVEN),
        ("OUTLINE_EDGES", OUTLINE_EDGES as u32),
        ("BARS", Counter::MOST as u32),
        ("MATERIALS", Material::MOST as u32),
        ("SURFACES", Surface::MOST as u32),
        ("SLOTS", SLOTS),
        ("LEVELS", LEVELS as u32),
    ];
    for (name, value) in constants {
        source += &format!("const {name} = {value}u;\n");
    }
    source += &format!("const CORNER: f32 = {CORNER:?};\nconst LEAST_COSINE: f32 = {LEAST_COSINE:?};\n");
    for (number, name) in ColourBy::NAMES.iter().enumerate() {
        source += &format!("const {name} = {number}u;\n");
    }
    source += &colour::wgsl();
    source += &[EdgeParams::WGSL, ColourParams::WGSL, BarParams::WGSL, LevelParams::WGSL, ViewParams::WGSL].concat();
    source += include_str!("../../shaders/records.wgsl");
    source + include_str!("../../shaders/view.wgsl")
}

#[cfg(test)]
mod tests {
    use encase::ShaderType;
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;

    fn parsed(source: &str) -> naga::Module {
        let module =
            naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        module
    }

    fn sources() -> [String; 9] {
        let circles = [circles(false, false), circles(true, false), circles(false, true)];
        let [a, b, c] = circles;
        [a, b, c, lines(false), lines(true), overlays(false), overlays(true), crowd(false), crowd(true)]
    }

    #[test]
    fn kernels_need_no_capability() {
        for (source, name) in [(sift(), "sift"), (list_discs(), "list_discs")] {
            let module = parsed(&source);
            assert_eq!(module.entry_points.iter().map(|entry| &entry.name[..]).collect::<Vec<_>>(), [name]);
        }
    }

    #[test]
    fn shaders_need_no_capability() {
        for source in sources() {
            let names: Vec<String> = parsed(&source).entry_points.into_iter().map(|entry| entry.name).collect();
            assert!(
                names.iter().any(|name| name.ends_with("_vertex")) && names.iter().any(|n| n.ends_with("_fragment"))
            );
        }
    }

    /// Offsets and size of a struct as naga lays it out.
    fn laid_out(module: &naga::Module, name: &str) -> (Vec<u64>, u64) {
        let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect(name);
        let naga::TypeInner::Struct { members, span } = &found.1.inner else { panic!("{name} is no struct") };
        (members.iter().map(|member| u64::from(member.offset)).collect(), u64::from(*span))
    }

    fn host_offsets(fields: usize) -> Vec<u64> {
        (0..fields).map(|field| ViewParams::METADATA.offset(field)).collect()
    }

    #[test]
    fn structs_lie_as_the_host_writes_them() {
        for source in sources() {
            let module = parsed(&source);
            let (offsets, size) = laid_out(&module, "ViewParams");
            assert_eq!(offsets, host_offsets(offsets.len()));
            assert_eq!(size, ViewParams::min_size().get());
            assert_eq!(laid_out(&module, "EdgeParams").1, EdgeParams::min_size().get());
            assert_eq!(laid_out(&module, "ColourParams").1, ColourParams::min_size().get());
            assert_eq!(laid_out(&module, "BarParams").1, BarParams::min_size().get());
            assert_eq!(laid_out(&module, "LevelParams").1, LevelParams::min_size().get());
            // The records: bytemuck's bytes.
            assert_eq!(laid_out(&module, "Record"), (vec![0, 16], size_of::<Record>() as u64));
            assert_eq!(laid_out(&module, "Home"), (vec![0, 8, 12], size_of::<crate::Home>() as u64));
            assert_eq!(laid_out(&module, "Spin"), (vec![0, 4, 8], size_of::<crate::Spin>() as u64));
        }
    }

    #[test]
    fn a_moved_field_is_noticed() {
        let source = lines(false)
            .replace("    zoom: f32,\n", "")
            .replace("    alpha: f32,\n", "    alpha: f32,\n    zoom: vec2<f32>,\n");
        let source = source.split("// What the drawing shaders share").next().unwrap_or_default().to_owned();
        let (offsets, _) = laid_out(&parsed(&source), "ViewParams");
        assert_ne!(offsets, host_offsets(offsets.len()));
    }
}
