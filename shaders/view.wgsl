// What the drawing shaders share. Pixels are counted from the middle of the picture, y down, so that balls far from
// the world's origin keep their precision.

@group(0) @binding(0) var<uniform> view: ViewParams;
@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> held: array<u32, 2>;
@group(0) @binding(4) var<storage, read> spins: array<Spin>;
@group(0) @binding(5) var<storage, read> loads: array<f32>;
@group(0) @binding(6) var<storage, read> cell_start: array<u32>;
@group(0) @binding(7) var<storage, read> candidates: array<u32>;
@group(0) @binding(8) var<storage, read> nearby: array<vec2<u32>>;

// Outside every picture: a quad whose four corners lie here costs no fragment.
const NOWHERE = vec4<f32>(2.0, 2.0, 0.0, 1.0);

// Where a ball is drawn: between its place at the start of the step and its place at the end.
fn drawn_px(ball: u32) -> vec2<f32> {
    let middle = vec2(view.centre_x, view.centre_y);
    return mix(homes[ball].place - middle, bodies[ball].motion.xy - middle, view.alpha) * view.zoom;
}

fn clip_from_px(place: vec2<f32>) -> vec4<f32> {
    return vec4(place.x / view.half_width, -place.y / view.half_height, 0.0, 1.0);
}

// The outline's edges come first, then the surfaces.
fn edge_at(index: u32) -> EdgeParams {
    if index < OUTLINE_EDGES {
        return view.outline[index];
    }
    return view.surfaces[min(index - OUTLINE_EDGES, SURFACES - 1u)];
}

// How far beyond an edge a pixel lies, px.
fn beyond(index: u32, place: vec2<f32>) -> f32 {
    let edge = edge_at(index);
    return edge.offset - dot(vec2(edge.normal_x, edge.normal_y), place);
}

// A corner of the square from -1 to 1, in the order of a triangle strip.
fn corner(vertex: u32) -> vec2<f32> {
    return vec2(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
}

// Coverage of a line, in the pixel at distance d from its middle.
fn line_coverage(d: f32, width: f32) -> f32 {
    return clamp(0.5 * width + 0.5 - abs(d), 0.0, 1.0);
}

// Colours are chosen and shaded as sRGB stores them. A target that encodes by itself wants them decoded.
fn shown(colour: vec3<f32>, alpha: f32) -> vec4<f32> {
    var stored = clamp(colour, vec3(0.0), vec3(1.0));
    if TARGET_ENCODES {
        stored = select(pow((stored + 0.055) / 1.055, vec3(2.4)), stored / 12.92, stored <= vec3(0.04045));
    }
    return vec4(stored * alpha, alpha);
}

// A number from 0 to 1 that a number always draws again (PCG's output function).
fn lot(number: u32) -> f32 {
    let state = number * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return f32((word >> 22u) ^ word) / 4294967296.0;
}
