// The balls that are large enough to be seen one by one: a triangle each, straight from the engine's records.

struct Disc {
    @builtin(position) position: vec4<f32>,
    @location(0) offset: vec2<f32>, // px from the centre
    @location(1) @interpolate(flat) colour: vec3<f32>,
    @location(2) @interpolate(flat) radius: f32, // px
    @location(3) @interpolate(flat) marks: u32,
    @location(4) @interpolate(flat) spoke: vec2<f32>, // its direction
}

const MARK_DOT = 1u;
const MARK_RING = 2u;
const MARK_PEG = 4u;
const MARK_HELD = 8u;
const MARK_ACTOR = 16u;

// Around a circle of radius 1: a triangle has fewer corners to shade than a square has.
const CORNER_AT = array<vec2<f32>, CORNERS>(vec2(0.0, -2.0), vec2(1.7320508, 1.0), vec2(-1.7320508, 1.0));

@vertex
fn circle_vertex(@builtin(vertex_index) vertex: u32) -> Disc {
    let ball = vertex / CORNERS;
    var disc = Disc(NOWHERE, vec2(0.0), vec3(0.0), 0.0, 0u, vec2(0.0));
    if ball >= min(arrayLength(&bodies), arrayLength(&homes)) {
        return disc;
    }
    let body = bodies[ball];
    let id = homes[ball].id;
    disc.radius = body.shape.x * view.zoom;
    disc.offset = CORNER_AT[vertex % CORNERS] * (disc.radius + 0.5);
    disc.position = clip_from_px(drawn_px(ball) + disc.offset);
    disc.colour = ball_colour(body, ball, id);
    disc.marks = ball_marks(body, id);
    if SPOKED {
        let angle = mix(spins[ball].home, spins[ball].angle, view.alpha);
        disc.spoke = vec2(cos(angle), sin(angle));
    }
    return disc;
}

@fragment
fn circle_fragment(disc: Disc) -> @location(0) vec4<f32> {
    let covered = disc_coverage(disc.offset, disc.radius);
    if covered <= 0.0 {
        return vec4(0.0);
    }
    return shown(disc_colour(disc), covered);
}

fn disc_colour(disc: Disc) -> vec3<f32> {
    let radius = disc.radius;
    let d = length(disc.offset);
    var colour = disc.colour;
    // Light from above and a darker rim; too small a ball has no room for them.
    let depth = view.shade * smoothstep(1.5, 5.0, radius);
    let lit = dot(disc.offset, vec2(-0.5, -0.85)) / radius;
    let rim = smoothstep(0.0, 1.0, (d - radius) / clamp(0.2 * radius, 1.0, 4.0) + 1.0);
    colour *= (1.0 + 0.11 * depth * lit) * (1.0 - 0.34 * depth * rim);
    let mark = view.shade * smoothstep(3.0, 7.0, radius);
    let width = max(1.0, 0.09 * radius);
    if (disc.marks & MARK_PEG) != 0u {
        let ring = line_coverage(d - 0.62 * radius, width);
        colour = mix(colour, PEG_RING, 0.75 * mark * ring);
    }
    if (disc.marks & MARK_DOT) != 0u {
        colour *= 1.0 - 0.42 * mark * clamp(0.24 * radius + 0.5 - d, 0.0, 1.0);
    }
    if (disc.marks & MARK_RING) != 0u {
        colour *= 1.0 - 0.42 * mark * line_coverage(d - 0.52 * radius, width);
    }
    if SPOKED {
        // From the middle to near the rim.
        let along = dot(disc.offset, disc.spoke);
        let across = dot(disc.offset, vec2(-disc.spoke.y, disc.spoke.x));
        let length = clamp(along + 0.5, 0.0, 1.0) * clamp(0.8 * radius - along + 0.5, 0.0, 1.0);
        colour *= 1.0 - 0.55 * mark * length * line_coverage(across, width);
    }
    if (disc.marks & MARK_ACTOR) != 0u {
        colour = mix(colour, HIGHLIGHT, 0.8 * mark * clamp(0.3 * radius + 0.5 - d, 0.0, 1.0));
    }
    if (disc.marks & MARK_HELD) != 0u {
        let band = clamp(0.16 * radius, 1.5, 4.0);
        colour = mix(colour, HIGHLIGHT, max(0.18, clamp(d - radius + band + 0.5, 0.0, 1.0)));
    }
    return colour;
}

fn ball_marks(body: Record, id: u32) -> u32 {
    // Materials differ by dot, ring or both, whatever the colours mean.
    let marks = select(material_of(body) & (MARK_DOT | MARK_RING), MARK_PEG, is_peg(body));
    let is_driven = is_actor(body) && !is_peg(body);
    return marks | select(0u, MARK_HELD, held[0] == id + 1u) | select(0u, MARK_ACTOR, is_driven);
}
