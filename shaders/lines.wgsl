// The edges of the world and the spring between the pointer and the ball it holds; see src/render.rs.

struct EdgePoint {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec2<f32>, // px
    @location(1) @interpolate(flat) index: u32,
}

// Edges are straight lines without end: a quad right across the picture, cut in the fragment shader.
@vertex
fn edge_vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) index: u32) -> EdgePoint {
    var point = EdgePoint(NOWHERE, vec2(0.0), index);
    let edge = edge_at(index);
    let normal = vec2(edge.normal_x, edge.normal_y);
    let reach = length(vec2(view.half_width, view.half_height)) + LINE_PX + 2.0;
    if !(abs(edge.offset) < reach) {
        return point;
    }
    let c = corner(vertex);
    let across = edge.offset - 0.5 * LINE_PX + c.y * (0.5 * LINE_PX + 1.0);
    point.place = normal * across + vec2(-normal.y, normal.x) * c.x * reach;
    point.position = clip_from_px(point.place);
    return point;
}

// The line lies just outside, so that a ball that touches the edge touches the line and is not under it.
@fragment
fn edge_fragment(point: EdgePoint) -> @location(0) vec4<f32> {
    var covered = line_coverage(beyond(point.index, point.place) - 0.5 * LINE_PX, LINE_PX);
    let is_surface = point.index >= OUTLINE_EDGES;
    let first = select(0u, OUTLINE_EDGES, is_surface);
    let last = OUTLINE_EDGES + select(0u, min(view.surface_count, SURFACES), is_surface);
    // What the other edges shut out has no edge of its own.
    for (var other = first; other < last; other++) {
        if other != point.index {
            covered *= clamp(LINE_PX + 0.5 - beyond(other, point.place), 0.0, 1.0);
        }
    }
    return shown(select(OUTLINE, SURFACE, is_surface), covered);
}

// How far an edge's piece is drawn beyond its end, px: a pixel between two pieces must not be left out by both.
const OVERLAP_PX = 0.01;

struct SegmentPoint {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec2<f32>, // px from the piece's middle: of an edge, along it and across
    @location(1) @interpolate(flat) half_extent: vec2<f32>, // px: half the length, half the thickness
    @location(2) @interpolate(flat) cone: vec2<f32>, // of a corner: see src/segment.rs
}

// A piece of a segment, as thick as it is and no thinner than other lines. Every pixel belongs to one piece alone, so
// that no seam shows where two meet: those beside an edge to the edge, those in a corner's cone to the corner.
@vertex
fn segment_vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> SegmentPoint {
    let piece = bodies[slot];
    let is_corner = piece.shape.y == CORNER;
    let extent = length(piece.motion.zw);
    let thickness = max(piece.shape.x * view.zoom, 0.5 * LINE_PX);
    var point = SegmentPoint(NOWHERE, vec2(0.0), vec2(extent * view.zoom, thickness), vec2(0.0));
    var along = piece.motion.zw / extent;
    if is_corner {
        point.half_extent.x = 0.0;
        point.cone = piece.motion.zw;
        along = vec2(1.0, 0.0);
    }
    point.place = corner(vertex) * (vec2(point.half_extent.x, 0.0) + thickness + 1.0);
    let middle = (piece.motion.xy - vec2(view.centre_x, view.centre_y)) * view.zoom;
    point.position = clip_from_px(middle + along * point.place.x + vec2(-along.y, along.x) * point.place.y);
    return point;
}

@fragment
fn segment_fragment(point: SegmentPoint) -> @location(0) vec4<f32> {
    let away = length(point.place);
    let is_corner = any(point.cone != vec2(0.0));
    // A free end's cone is a little less than the half of the plane that lies beside no edge.
    let spare = LEAST_COSINE * (LEAST_COSINE * away + OVERLAP_PX);
    let in_cone = dot(point.place, point.cone) >= away * dot(point.cone, point.cone) - spare;
    let beside = abs(point.place.x) <= point.half_extent.x + OVERLAP_PX;
    if !select(beside, in_cone, is_corner) {
        return vec4(0.0);
    }
    let across = select(abs(point.place.y), away, is_corner);
    return shown(SURFACE, line_coverage(across, 2.0 * point.half_extent.y));
}

struct SpringPoint {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec2<f32>, // px
    @location(1) @interpolate(flat) ends: vec4<f32>, // px: the ball's end, the pointer's
}

@vertex
fn spring_vertex(@builtin(vertex_index) vertex: u32) -> SpringPoint {
    var point = SpringPoint(NOWHERE, vec2(0.0), vec4(0.0));
    let ball = held[1];
    // Nothing is held, or the engine has not yet told the slot.
    if held[0] == 0u || ball >= arrayLength(&homes) || homes[ball].id + 1u != held[0] {
        return point;
    }
    let from_px = drawn_px(ball);
    let to_px = vec2(view.pointer_x, view.pointer_y);
    let along = to_px - from_px;
    let direction = select(vec2(1.0, 0.0), normalize(along), dot(along, along) > 1e-6);
    let side = vec2(-direction.y, direction.x) * (LINE_PX + 1.0);
    let c = corner(vertex);
    let cap = direction * (LINE_PX + 1.0);
    point.place = select(from_px - cap, to_px + cap, c.x > 0.0) + side * c.y;
    point.position = clip_from_px(point.place);
    point.ends = vec4(from_px, to_px);
    return point;
}

@fragment
fn spring_fragment(point: SpringPoint) -> @location(0) vec4<f32> {
    let along = point.ends.zw - point.ends.xy;
    let from_start = point.place - point.ends.xy;
    let t = clamp(dot(from_start, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    return shown(HIGHLIGHT, 0.85 * line_coverage(length(from_start - t * along), LINE_PX));
}
