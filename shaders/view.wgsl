// What the drawing shaders share. Pixels are counted from the middle of the picture, y down, so that balls far from
// the world's origin keep their precision.

@group(0) @binding(0) var<uniform> view: ViewParams;
@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> held: array<u32, 2>;
@group(0) @binding(4) var<storage, read> spins: array<Spin>;
@group(0) @binding(5) var<storage, read> loads: array<f32>;

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
