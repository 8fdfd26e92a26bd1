// How hard a ball's contacts press on it: see src/stage/weigh.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> cell_start: array<u32>;
@group(0) @binding(4) var<storage, read> candidates: array<u32>;
@group(0) @binding(5) var<storage, read> nearby: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> load: array<f32>;

struct Visitor {
    body: Record,
    impulse: f32,
}

fn weighed(impulse: f32, contact: Contact, k: f32) -> f32 {
    if !contact.touching || is_impact(contact) {
        return impulse;
    }
    return add(impulse, mul(push_of(contact), recip(k)));
}

fn visit(visitor: ptr<function, Visitor>, i: u32, j: u32) {
    let body = (*visitor).body;
    let other = partner_at(body, j);
    // Lists may be from before an edit.
    if is_erased(other) {
        return;
    }
    let k = add(mul(body.shape.z, body.shape.y), mul(other.shape.z, other.shape.y));
    (*visitor).impulse = weighed((*visitor).impulse, pair_contact(body, other, i, j), k);
}

@compute @workgroup_size(WORKGROUP)
fn weigh(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let body = bodies_at(i);
    if !is_movable(body) {
        load[i] = 0.0;
        return;
    }
    var visitor = Visitor(body, 0.0);
    let count = nearby_at(i).x;
    if count <= SLOTS {
        for (var slot = 0u; slot < count; slot++) {
            visit(&visitor, i, candidates_at(slot * params.capacity + i));
        }
    } else {
        walk(&visitor, i);
    }
    let own_share = mul(body.shape.z, body.shape.y);
    for (var left = surfaces_of(body, i); left > 0u; left &= left - 1u) {
        let contact = surface_contact(body, firstTrailingBit(left), 0.0);
        visitor.impulse = weighed(visitor.impulse, contact, own_share);
    }
    load[i] = mul(visitor.impulse, recip(mul(mul(params.circumference, body.shape.x), params.substep_s)));
}
