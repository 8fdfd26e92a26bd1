// The balls: a quad each, straight from the engine's records; see src/render.rs.

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

// Of a sleeper where colours mean a load, before it is dimmed: its load is not known.
const SLEEPER = vec3(0.75);

const PI = 3.14159265;
// Radius, px, below which a ball is drawn by lot: eight bits a channel can't hold a fainter one.
const LEAST_RADIUS = 0.2;

@vertex
fn circle_vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) ball: u32) -> Disc {
    var disc = Disc(NOWHERE, vec2(0.0), vec3(0.0), 0.0, 0u, vec2(0.0));
    if ball >= min(arrayLength(&bodies), arrayLength(&homes)) {
        return disc;
    }
    let body = bodies[ball];
    if is_erased(body) {
        return disc;
    }
    let id = homes[ball].id;
    let centre = drawn_px(ball);
    var radius = body.shape.x * view.zoom;
    if radius < LEAST_RADIUS {
        // The share of balls drawn makes up for their size. The lot falls by id, so that it stays with the ball.
        let share = radius / LEAST_RADIUS;
        if lot(id) >= share * share {
            return disc;
        }
        radius = LEAST_RADIUS;
    }
    let extent = radius + 1.0;
    // Said so that a ball that is not a number is not drawn either.
    if !all(abs(centre) < vec2(view.half_width, view.half_height) + extent) {
        return disc;
    }
    disc.offset = corner(vertex) * extent;
    disc.position = clip_from_px(centre + disc.offset);
    disc.colour = ball_colour(body, ball, id) * select(1.0, DIM, is_asleep(body));
    disc.radius = radius;
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

// Share of a pixel at `offset` from the centre that a disc of `radius` px covers. Sums to the disc's area.
fn disc_coverage(offset: vec2<f32>, radius: f32) -> f32 {
    // A slope one pixel wide. On a circle it holds π/12 more than the disc, so that the circle is a little smaller.
    let disc = clamp(sqrt(max(radius * radius - 1.0 / 12.0, 0.0)) + 0.5 - length(offset), 0.0, 1.0);
    // Below a pixel: the exact share of the pixel within a square of the disc's area, the same in sum wherever the
    // ball stands between the pixels, so that a far crowd does not shimmer.
    let side = sqrt(PI) * radius;
    let square = clamp(vec2(0.5 * side + 0.5) - abs(offset), vec2(0.0), vec2(min(side, 1.0)));
    return mix(square.x * square.y, disc, smoothstep(0.6, 1.2, radius));
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

fn is_peg(body: Record) -> bool {
    return body.shape.z == 0.0;
}

fn material_of(body: Record) -> u32 {
    return u32(body.shape.w) & (HELD - 1u);
}

fn is_actor(body: Record) -> bool {
    return (u32(body.shape.w) & DRIVEN) != 0u;
}

fn ball_marks(body: Record, id: u32) -> u32 {
    // Materials differ by dot, ring or both, whatever the colours mean.
    let marks = select(material_of(body) & (MARK_DOT | MARK_RING), MARK_PEG, is_peg(body));
    let is_driven = is_actor(body) && !is_peg(body);
    return marks | select(0u, MARK_HELD, held[0] == id + 1u) | select(0u, MARK_ACTOR, is_driven);
}

fn ball_colour(body: Record, ball: u32, id: u32) -> vec3<f32> {
    if is_peg(body) {
        return PEG;
    }
    switch view.colour_by {
        case BY_SPEED: {
            return ramp(length(body.motion.zw));
        }
        case BY_MASS: {
            return ramp(-log2(abs(body.shape.z)));
        }
        case BY_LOAD: {
            if is_asleep(body) {
                return SLEEPER;
            }
            // Outside the buffer there is no load.
            return ramp(select(0.0, loads[min(ball, arrayLength(&loads) - 1u)], ball < arrayLength(&loads)));
        }
        case BY_CELLS: {
            return ramp(f32(cellmates(ball)));
        }
        case BY_ID: {
            return ramp(f32(id));
        }
        case BY_SLEEP: {
            return select(AWAKE, ASLEEP, is_asleep(body));
        }
        case BY_MATERIAL: {
            return own_colour(body, PALETTE[material_of(body) % PALETTE_SIZE]);
        }
        default: {
            // Actors stand out from the crowd.
            return own_colour(body, select(PALETTE[id % PALETTE_SIZE], ACTOR, is_actor(body)));
        }
    }
}

// The colour of a ball's material, where that has one.
fn own_colour(body: Record, otherwise: vec3<f32>) -> vec3<f32> {
    let own = view.materials[min(material_of(body), MATERIALS - 1u)];
    return mix(otherwise, vec3(own.red, own.green, own.blue), own.opacity);
}

// The view's colour map, from its darkest colour to its brightest.
fn ramp(value: f32) -> vec3<f32> {
    let at = clamp((value - view.ramp_from) * view.ramp_scale, 0.0, 1.0) * f32(RAMP - 1u);
    let step = min(u32(at), RAMP - 2u);
    let below = view.ramp[step];
    let above = view.ramp[step + 1u];
    let share = at - f32(step);
    return mix(vec3(below.red, below.green, below.blue), vec3(above.red, above.green, above.blue), share);
}

// How many balls share a ball's cell: its level is the finest whose cells are twice its reach wide.
fn cellmates(ball: u32) -> u32 {
    let home = homes[ball];
    var level = 0u;
    while level + 1u < view.level_count && home.reach > view.levels[level].reach {
        level++;
    }
    let lattice = view.levels[level];
    let at = (home.place - vec2(view.origin_x, view.origin_y)) * lattice.inverse_side;
    let last = vec2(lattice.last_column, lattice.last_row);
    let cell = vec2<u32>(clamp(at, vec2(0.0), last));
    let index = lattice.first + cell.y * lattice.columns + cell.x;
    // Without a lattice nothing is known of cells.
    if view.level_count == 0u || index + 1u >= arrayLength(&cell_start) {
        return 0u;
    }
    return cell_start[index + 1u] - cell_start[index];
}

// A number from 0 to 1 that an id always draws again (PCG's output function).
fn lot(id: u32) -> f32 {
    let state = id * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return f32((word >> 22u) ^ word) / 4294967296.0;
}
