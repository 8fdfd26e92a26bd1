// What a ball looks like, whatever draws it: the share of a pixel that it covers, and its colour.

const PI = 3.14159265;
// Of a sleeper where colours mean a load, before it is dimmed: its load is not known.
const SLEEPER = vec3(0.75);

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

fn is_peg(body: Record) -> bool {
    return body.shape.z == 0.0;
}

fn material_of(body: Record) -> u32 {
    return u32(body.shape.w) & (HELD - 1u);
}

fn is_actor(body: Record) -> bool {
    return (u32(body.shape.w) & DRIVEN) != 0u;
}

fn ball_colour(body: Record, ball: u32, id: u32) -> vec3<f32> {
    let colour = colour_awake(body, ball, id);
    return select(colour, colour * DIM + DIM_GREY, is_asleep(body));
}

fn colour_awake(body: Record, ball: u32, id: u32) -> vec3<f32> {
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
