// The balls that each ball may meet, and how crowded it is: see src/stage/list_contacts.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read_write> bodies_out: array<Record>;
@group(0) @binding(3) var<storage, read> homes: array<Home>;
@group(0) @binding(4) var<storage, read> cell_start: array<u32>;
@group(0) @binding(5) var<storage, read_write> candidates: array<u32>;
@group(0) @binding(6) var<storage, read_write> nearby: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> supporter: array<u32>;
@group(0) @binding(8) var<storage, read> awake_blocks: array<u32>;

struct Visitor {
    body: Record,
    count: u32,
    sums: vec3<f32>,
    supporter: u32,
    steepness: f32,
}

// Stands on the steepest of those that nearly touch it from below.
fn offer(visitor: ptr<function, Visitor>, supporter: u32, steepness: f32) {
    if steepness > (*visitor).steepness {
        (*visitor).supporter = supporter;
        (*visitor).steepness = steepness;
    }
}

fn visit(visitor: ptr<function, Visitor>, i: u32, j: u32) {
    let other = partner_at((*visitor).body, j);
    let direction = direction_between((*visitor).body.motion.xy, other.motion.xy, i, j);
    if is_segment(j) && direction.z >= add(homes_at(i).reach, other.shape.x) {
        return;
    }
    let slot = (*visitor).count;
    if slot < SLOTS {
        candidates[slot * params.capacity + i] = j;
    }
    (*visitor).count = slot + 1u;
    let radius = (*visitor).body.shape.x;
    let gap = sub(direction.z, add(radius, other.shape.x));
    if gap < 0.0 || is_hurried((*visitor).body) {
        (*visitor).sums = with_normal((*visitor).sums, direction.xy);
    }
    if gap < mul(NEAR, smaller(radius, other.shape.x)) {
        let down = vec2(params.down_x, params.down_y);
        offer(visitor, select(GROUND, j, is_movable(other)), dot2(direction.xy, down));
    }
}

// A bit for each surface that the ball may come to touch within the step.
fn near_surfaces(body: Record) -> u32 {
    let radius = body.shape.x;
    let margin = larger(add(mul(params.margin, radius), travel_of(body)), mul(params.most_margin, radius));
    var near = 0u;
    for (var index = 0u; index < countOneBits(params.all_surfaces); index++) {
        let surface = params.surfaces[index];
        let nearing = dot2(surface_velocity(body, index), vec2(surface.normal_x, surface.normal_y));
        let reached = add(margin, larger(mul(nearing, params.step_s), 0.0));
        near |= select(0u, 1u << index, surface_gap(body, index) < reached);
    }
    return near;
}

@compute @workgroup_size(WORKGROUP)
fn list_contacts(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = awake_index(group, groups, local);
    if i >= params.count {
        return;
    }
    var body = bodies_at(i);
    if !is_movable(body) {
        bodies_out[i] = body;
        nearby[i] = vec2(0u);
        supporter[i] = GROUND;
        return;
    }
    var visitor = Visitor(body, 0u, vec3(0.0), params.afloat, STEEP);
    walk(&visitor, i);
    for (var index = 0u; index < countOneBits(params.all_surfaces); index++) {
        if surface_gap(body, index) < mul(NEAR, body.shape.x) {
            let outward = vec2(params.surfaces[index].normal_x, params.surfaces[index].normal_y);
            offer(&visitor, GROUND, sub(0.0, dot2(outward, vec2(params.down_x, params.down_y))));
        }
    }
    supporter[i] = visitor.supporter;
    nearby[i] = vec2(visitor.count, near_surfaces(body));
    body.shape.y = larger(body.shape.y, mul(params.presplit, split_of(visitor.sums)));
    bodies_out[i] = body;
}
