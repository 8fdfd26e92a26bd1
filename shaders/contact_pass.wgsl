// One substep: see src/stage/contact_pass.rs.

@group(0) @binding(1) var<uniform> kick: Kick;
@group(0) @binding(2) var<uniform> pointer: Pointer;
@group(0) @binding(3) var<storage, read> bodies: array<Record>;
@group(0) @binding(4) var<storage, read_write> bodies_out: array<Record>;
@group(0) @binding(5) var<storage, read> homes: array<Home>;
@group(0) @binding(6) var<storage, read> cell_start: array<u32>;
@group(0) @binding(7) var<storage, read> candidates: array<u32>;
@group(0) @binding(8) var<storage, read> candidate_count: array<u32>;

struct Meetings {
    resting: bool,
    impacts: bool,
    earliest_s: f32,
    partner: u32,
}

const NO_MEETINGS = Meetings(false, false, 3.4e38, NONE);

fn surface_id(index: u32) -> u32 {
    return NONE - 1u - index;
}

fn with_ball(before: Meetings, contact: Contact, own: u32, other: u32) -> Meetings {
    let time = meeting_s(contact);
    let low = min(own, other);
    let high = max(own, other);
    let best_low = min(own, before.partner);
    let best_high = max(own, before.partner);
    let lesser = low < best_low || (low == best_low && high < best_high);
    let first = time < before.earliest_s || (time == before.earliest_s && lesser);
    return Meetings(
        before.resting,
        true,
        select(before.earliest_s, time, first),
        select(before.partner, other, first),
    );
}

fn with_surface(before: Meetings, contact: Contact, index: u32) -> Meetings {
    let time = meeting_s(contact);
    let first = time < before.earliest_s;
    return Meetings(
        before.resting,
        true,
        select(before.earliest_s, time, first),
        select(before.partner, surface_id(index), first),
    );
}

// Whom ball j meets first, and whether it rests on anything.
fn meetings_of(j: u32) -> Meetings {
    var meetings = NO_MEETINGS;
    let body = bodies[j];
    let own = homes[j].id;
    var others = candidates_of(j);
    loop {
        let m = next_candidate(&others);
        if m == NONE {
            break;
        }
        let contact = pair_contact(body, bodies[m], j, m);
        if contact.touching && is_impact(contact) {
            meetings = with_ball(meetings, contact, own, homes[m].id);
        } else if contact.touching {
            meetings.resting = meetings.resting || push_of(contact) > 0.0;
        }
    }
    for (var index = 0u; index < params.surface_count; index++) {
        let contact = surface_contact(body, index);
        if contact.touching && is_impact(contact) {
            meetings = with_surface(meetings, contact, index);
        } else if contact.touching {
            meetings.resting = meetings.resting || push_of(contact) > 0.0;
        }
    }
    return meetings;
}

fn changed(change: vec2<f32>, contact: Contact, w: f32, amount: f32, k: f32) -> vec2<f32> {
    let speed = mul(w, mul(amount, recip(k)));
    return vec2(sub(change.x, mul(speed, contact.normal.x)), sub(change.y, mul(speed, contact.normal.y)));
}

fn half_kicked(contact: Contact) -> f32 {
    let half_kick = vec2(params.half_kick_x, params.half_kick_y);
    return add(contact.approach, dot2(half_kick, contact.normal));
}

fn rebound(contact: Contact, approach: f32) -> f32 {
    return mul(-add(1.0, contact.bounce), approach);
}

fn answer_impacts(i: u32, body: Record, meetings: Meetings, before: vec2<f32>) -> vec2<f32> {
    var change = before;
    let w = body.shape.z;
    let own = homes[i].id;
    let own_share = mul(w, body.shape.y);
    var others = candidates_of(i);
    loop {
        let j = next_candidate(&others);
        if j == NONE {
            break;
        }
        let other = bodies[j];
        let contact = pair_contact(body, other, i, j);
        if !contact.touching || !is_impact(contact) {
            continue;
        }
        let immovable = !is_movable(other);
        var theirs = NO_MEETINGS;
        if meetings.resting {
            theirs.resting = true;
        } else if immovable {
            theirs.partner = own;
        } else {
            theirs = meetings_of(j);
        }
        var k = add(own_share, mul(other.shape.z, other.shape.y));
        if !theirs.resting {
            if meetings.partner != homes[j].id || theirs.partner != own {
                continue;
            }
            k = add(w, other.shape.z);
        }
        var approach = contact.approach;
        if immovable {
            approach = half_kicked(contact);
        }
        change = changed(change, contact, w, rebound(contact, approach), k);
    }
    for (var index = 0u; index < params.surface_count; index++) {
        let contact = surface_contact(body, index);
        if !contact.touching || !is_impact(contact) || (!meetings.resting && meetings.partner != surface_id(index)) {
            continue;
        }
        let k = select(w, own_share, meetings.resting);
        change = changed(change, contact, w, rebound(contact, half_kicked(contact)), k);
    }
    return change;
}

fn moved(body: Record) -> Record {
    var out = body;
    out.motion.x = add(body.motion.x, mul(body.motion.z, params.substep_s));
    out.motion.y = add(body.motion.y, mul(body.motion.w, params.substep_s));
    return out;
}

@compute @workgroup_size(WORKGROUP)
fn contact_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    var body = bodies[i];
    if !is_movable(body) {
        bodies_out[i] = moved(body);
        return;
    }
    let w = body.shape.z;
    let own_share = mul(w, body.shape.y);
    var change = vec2(0.0);
    var crowd = vec3(0.0);
    var meetings = NO_MEETINGS;
    var others = candidates_of(i);
    loop {
        let j = next_candidate(&others);
        if j == NONE {
            break;
        }
        let other = bodies[j];
        let contact = pair_contact(body, other, i, j);
        if !contact.touching {
            continue;
        }
        crowd = crowded(crowd, contact.normal);
        if is_impact(contact) {
            meetings = with_ball(meetings, contact, homes[i].id, homes[j].id);
            continue;
        }
        let push = push_of(contact);
        meetings.resting = meetings.resting || push > 0.0;
        change = changed(change, contact, w, push, add(own_share, mul(other.shape.z, other.shape.y)));
    }
    for (var index = 0u; index < params.surface_count; index++) {
        let contact = surface_contact(body, index);
        if !contact.touching {
            continue;
        }
        crowd = crowded(crowd, contact.normal);
        if is_impact(contact) {
            meetings = with_surface(meetings, contact, index);
            continue;
        }
        let push = push_of(contact);
        meetings.resting = meetings.resting || push > 0.0;
        change = changed(change, contact, w, push, own_share);
    }
    if meetings.impacts {
        change = answer_impacts(i, body, meetings, change);
    }

    body.shape.y = split_of(crowd);
    let v = vec2(add(body.motion.z, change.x), add(body.motion.w, change.y));
    let calm = body.shape.y > 1.01 && dot2(v, v) < params.rest_speed_squared;
    let factor = select(1.0, params.rest_factor, calm);
    body.motion.z = snap(mul(v.x, factor));
    body.motion.w = snap(mul(v.y, factor));
    bodies_out[i] = kicked(moved(body));
}
