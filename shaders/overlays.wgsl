// What is drawn over the balls, and under them the counters' bars and the grid; see src/render/overlays.rs.

// Width of the light line in the middle of the dark one that sets it off from any colour, px.
const CORE_PX = 1.4;
const HALO_PX = 3.4;
const HALO_ALPHA = 0.7;
// Cells narrower than the first are not drawn, from the second on they are drawn in full, px.
const LEAST_CELL_PX = 4.0;
const CLEAR_CELL_PX = 14.0;
const GRID_ALPHA = 0.55;
// Balls of a smaller radius show no contacts, px.
const LEAST_LINKED_PX = 1.5;
// Contacts of balls of at least this radius are drawn in full width, those of small ones finer, px.
const FULL_WEIGHT_PX = 11.0;
const LEAST_WEIGHT = 0.55;
// Shorter needles are not drawn, px.
const LEAST_NEEDLE_PX = 2.0;
// An arrow's length and its head's, half the head's width, px.
const ARROW_PX = 30.0;
const HEAD_PX = 11.0;
const HEAD_HALF_PX = 5.0;

@vertex
fn bar_vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) index: u32) -> @builtin(position) vec4<f32> {
    let bar = view.bars[min(index, BARS - 1u)];
    let share = 0.5 * corner(vertex) + 0.5;
    return clip_from_px(mix(vec2(bar.left, bar.top), vec2(bar.right, bar.bottom), share));
}

@fragment
fn bar_fragment() -> @location(0) vec4<f32> {
    return shown(BAR, 1.0);
}

struct GridPoint {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec2<f32>, // px from the grid's corner
    @location(1) @interpolate(flat) side: f32, // px
}

// A level's cells: one quad over them all, whose lines the fragment shader finds.
@vertex
fn grid_vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) index: u32) -> GridPoint {
    var point = GridPoint(NOWHERE, vec2(0.0), 0.0);
    let level = view.levels[index];
    let side = view.zoom / level.inverse_side;
    if side < LEAST_CELL_PX || level.end >= arrayLength(&cell_start) {
        return point;
    }
    if cell_start[level.first] == cell_start[level.end] {
        return point;
    }
    let size = (vec2(level.last_column, level.last_row) + 1.0) * side;
    let half = 0.5 * size + 1.0;
    point.place = 0.5 * size + corner(vertex) * half;
    point.position = clip_from_px(vec2(view.corner_x, view.corner_y) + point.place);
    point.side = side;
    return point;
}

@fragment
fn grid_fragment(point: GridPoint) -> @location(0) vec4<f32> {
    let cells = point.place / point.side;
    let away = abs(cells - round(cells)) * point.side;
    let clear = smoothstep(LEAST_CELL_PX, CLEAR_CELL_PX, point.side);
    return shown(GRID, GRID_ALPHA * clear * line_coverage(min(away.x, away.y), 1.0));
}

struct LinePoint {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec2<f32>, // px from the line's start, along it and across
    @location(1) @interpolate(flat) length: f32, // px
    @location(2) @interpolate(flat) weight: f32, // share of the full width
}

// A line that is not drawn.
fn no_line() -> LinePoint {
    return LinePoint(NOWHERE, vec2(0.0), 0.0, 1.0);
}

// The line between two places, px, as a corner of its quad.
fn line_point(start: vec2<f32>, end: vec2<f32>, c: vec2<f32>) -> LinePoint {
    var point = no_line();
    let half = vec2(view.half_width, view.half_height) + HALO_PX;
    // Said so that a ball that is not a number is not drawn either.
    if !all(abs(start) < half) && !all(abs(end) < half) {
        return point;
    }
    let length = distance(start, end);
    let along = (end - start) / max(length, 1e-6);
    point.length = length;
    point.place = vec2(select(-HALO_PX, length + HALO_PX, c.x > 0.0), c.y * HALO_PX);
    point.position = clip_from_px(start + along * point.place.x + vec2(-along.y, along.x) * point.place.y);
    return point;
}

// Light in the middle, dark around.
fn haloed(away: f32, weight: f32, colour: vec3<f32>) -> vec4<f32> {
    let core = line_coverage(away, weight * CORE_PX);
    return shown(colour, core) + (1.0 - core) * shown(HALO, HALO_ALPHA * line_coverage(away, weight * HALO_PX));
}

fn away_from_line(point: LinePoint) -> f32 {
    return length(vec2(max(max(-point.place.x, point.place.x - point.length), 0.0), point.place.y));
}

// A corner of the square from -1 to 1, in the order of two triangles: 0, 1, 2, then 2, 1, 3, two bits each.
fn corner_of_six(vertex: u32) -> vec2<f32> {
    return corner((3492u >> (2u * vertex)) & 3u);
}

// Whether a ball that lists another shows their contact: of two that list each other, the one in the lower slot does. A
// crowded ball lists only some, and a sleeper none, and leave it to the others.
fn shows_link(ball: u32, other: u32) -> bool {
    let listed = nearby[ball].x;
    let others = nearby[other].x;
    let other_lists = others > 0u && others <= SLOTS;
    return select(!other_lists && ball < other, !other_lists || ball < other, listed <= SLOTS);
}

// The place of another body that is nearest to a ball's: its own, or that of a segment's piece, px.
fn end_of_link(centre: vec2<f32>, other: u32) -> vec2<f32> {
    if other < view.balls {
        return drawn_px(other);
    }
    let piece = bodies[other];
    let place = (piece.motion.xy - vec2(view.centre_x, view.centre_y)) * view.zoom;
    let extent = select(piece.motion.zw * view.zoom, vec2(0.0), piece.shape.y == CORNER);
    let share = dot(centre - place, extent) / max(dot(extent, extent), 1e-6);
    return place + clamp(share, -1.0, 1.0) * extent;
}

// A ball's contact with the body in one of its slots.
fn body_link(ball: u32, link: u32, c: vec2<f32>) -> LinePoint {
    if link >= nearby[ball].x {
        return no_line();
    }
    let block = ball / view.block;
    let other = candidates[block * view.block * SLOTS + link * view.block + ball % view.block];
    if other >= arrayLength(&bodies) || !(other >= view.balls || shows_link(ball, other)) {
        return no_line();
    }
    // Lists may be from before an edit.
    if is_erased(bodies[other]) {
        return no_line();
    }
    let centre = drawn_px(ball);
    let end = end_of_link(centre, other);
    let reach = (bodies[ball].shape.x + bodies[other].shape.x) * view.zoom;
    if distance(centre, end) > reach * (1.0 + TOUCHING) {
        return no_line();
    }
    return line_point(centre, end, c);
}

// A ball's contact with one of the surfaces near it, by its number among them.
fn surface_link(ball: u32, number: u32, c: vec2<f32>) -> LinePoint {
    var near = nearby[ball].y;
    for (var skipped = 0u; skipped < number; skipped++) {
        near &= near - 1u;
    }
    let index = firstTrailingBit(near);
    if near == 0u || index >= view.surface_count {
        return no_line();
    }
    let surface = view.surfaces[index];
    let normal = vec2(surface.normal_x, surface.normal_y);
    let centre = drawn_px(ball);
    let away = dot(normal, centre) - surface.offset;
    // The edge is drawn up to half a pixel beside its place.
    if away > bodies[ball].shape.x * view.zoom * (1.0 + TOUCHING) + 0.5 {
        return no_line();
    }
    return line_point(centre, centre - normal * away, c);
}

// A link of each ball: six vertices a ball, and an instance for the links of one number.
@vertex
fn contact_vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) link: u32) -> LinePoint {
    let ball = vertex / 6u;
    let c = corner_of_six(vertex % 6u);
    let radius = bodies[ball].shape.x * view.zoom;
    if ball >= min(view.balls, arrayLength(&nearby)) || radius < LEAST_LINKED_PX || is_erased(bodies[ball]) {
        return no_line();
    }
    var point = no_line();
    if link < SLOTS {
        point = body_link(ball, link, c);
    } else {
        point = surface_link(ball, link - SLOTS, c);
    }
    point.weight = clamp(radius / FULL_WEIGHT_PX, LEAST_WEIGHT, 1.0);
    return point;
}

@fragment
fn contact_fragment(point: LinePoint) -> @location(0) vec4<f32> {
    return haloed(away_from_line(point), point.weight, HIGHLIGHT);
}

// A needle from each centre, thinner toward where the ball goes.
@vertex
fn velocity_vertex(@builtin(vertex_index) vertex: u32) -> LinePoint {
    let ball = vertex / 6u;
    let centre = drawn_px(ball);
    let end = centre + bodies[ball].motion.zw * (VELOCITY_S * view.zoom);
    if !(distance(centre, end) > LEAST_NEEDLE_PX) || is_erased(bodies[ball]) {
        return no_line();
    }
    return line_point(centre, end, corner_of_six(vertex % 6u));
}

@fragment
fn velocity_fragment(point: LinePoint) -> @location(0) vec4<f32> {
    let share = clamp(point.place.x / max(point.length, 1e-6), 0.0, 1.0);
    return haloed(away_from_line(point) + share * 0.5 * CORE_PX, 1.0, HIGHLIGHT);
}

// Arrows out of a surface, evenly along it and fixed to it; those that no room of the surface is left for are not
// drawn.
@vertex
fn normal_vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) arrow: u32) -> LinePoint {
    let index = OUTLINE_EDGES + arrow / ARROWS;
    let edge = edge_at(index);
    let normal = vec2(edge.normal_x, edge.normal_y);
    let number = f32(arrow % ARROWS) - 0.5 * f32(ARROWS) - round(edge.along / ARROW_GAP);
    let foot = normal * edge.offset + vec2(-normal.y, normal.x) * (edge.along + number * ARROW_GAP);
    for (var other = OUTLINE_EDGES; other < OUTLINE_EDGES + view.surface_count; other++) {
        if other != index && beyond(other, foot) > -HEAD_HALF_PX {
            return no_line();
        }
    }
    var point = line_point(foot, foot + normal * ARROW_PX, vec2(corner(vertex).x, 2.0 * corner(vertex).y));
    point.length = ARROW_PX;
    return point;
}

@fragment
fn normal_fragment(point: LinePoint) -> @location(0) vec4<f32> {
    let before_tip = point.length - point.place.x;
    let shaft = away_from_line(LinePoint(point.position, point.place, point.length - HEAD_PX, 1.0)) - 0.5 * CORE_PX;
    let head = max(abs(point.place.y) - before_tip * HEAD_HALF_PX / HEAD_PX, before_tip - HEAD_PX);
    return haloed(max(min(shaft, head) + 0.5 * CORE_PX, 0.0), 1.0, NORMAL);
}
