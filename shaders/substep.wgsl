// One substep of a ball: see src/stage/contact_pass.rs. A kernel's own shader says of which balls.

@group(0) @binding(1) var<uniform> kick: Kick;
@group(0) @binding(2) var<uniform> pointer: Pointer;
@group(0) @binding(3) var<storage, read> bodies: array<Record>;
@group(0) @binding(4) var<storage, read_write> bodies_out: array<Record>;
@group(0) @binding(5) var<storage, read> homes: array<Home>;
@group(0) @binding(6) var<storage, read> cell_start: array<u32>;
@group(0) @binding(7) var<storage, read> candidates: array<u32>;
@group(0) @binding(8) var<storage, read> nearby: array<vec2<u32>>;
@group(0) @binding(9) var<storage, read> supporter: array<u32>;

// What a ball's contacts come to.
struct Visitor {
    body: Record,
    change: vec2<f32>,
    load: f32,
    sums: vec3<f32>,
    resting: bool,
    impacts: bool,
    earliest_s: f32,
    partner: u32,
}

fn visitor_of(body: Record) -> Visitor {
    return Visitor(body, vec2(0.0), 0.0, vec3(0.0), false, false, NEVER_S, NONE);
}

fn note_ball(gathered: ptr<function, Visitor>, contact: Contact, own: u32, other: u32) {
    let time = meeting_s(contact);
    let partner = (*gathered).partner;
    let low = min(own, other);
    let high = max(own, other);
    let first_low = min(own, partner);
    let first_high = max(own, partner);
    let lesser = low < first_low || (low == first_low && high < first_high);
    let earliest_s = (*gathered).earliest_s;
    if time < earliest_s || (time == earliest_s && lesser) {
        (*gathered).earliest_s = time;
        (*gathered).partner = other;
    }
    (*gathered).impacts = true;
}

fn note_surface(gathered: ptr<function, Visitor>, contact: Contact, index: u32) {
    let time = meeting_s(contact);
    if time < (*gathered).earliest_s {
        (*gathered).earliest_s = time;
        (*gathered).partner = surface_id(index);
    }
    (*gathered).impacts = true;
}

// Whom ball j, which is not crowded, meets first, and whether it rests on anything.
fn meetings_of(j: u32) -> Visitor {
    let body = bodies_at(j);
    var gathered = visitor_of(body);
    let count = nearby_at(j).x;
    for (var slot = 0u; slot < count; slot++) {
        let m = candidates_at(slot * params.capacity + j);
        let contact = pair_contact(body, partner_at(body, m), j, m);
        if contact.touching && is_impact(contact) {
            note_ball(&gathered, contact, j, m);
        } else if contact.touching {
            gathered.resting = gathered.resting || push_of(contact) > 0.0;
        }
    }
    for (var left = surfaces_of(body, j); left > 0u; left &= left - 1u) {
        let index = firstTrailingBit(left);
        let contact = surface_contact(body, index, kick.elapsed_s);
        if contact.touching && is_impact(contact) {
            note_surface(&gathered, contact, index);
        } else if contact.touching {
            gathered.resting = gathered.resting || push_of(contact) > 0.0;
        }
    }
    return gathered;
}

fn impulse_of(amount: f32, k: f32) -> f32 {
    return mul(amount, recip(k));
}

fn changed(change: vec2<f32>, contact: Contact, speed: f32) -> vec2<f32> {
    return vec2(sub(change.x, mul(speed, contact.normal.x)), sub(change.y, mul(speed, contact.normal.y)));
}

fn meet_ball(gathered: ptr<function, Visitor>, i: u32, j: u32, crowded: bool) {
    let body = (*gathered).body;
    let other = partner_at(body, j);
    let contact = pair_contact(body, other, i, j);
    if !contact.touching {
        return;
    }
    (*gathered).sums = with_normal((*gathered).sums, contact.normal);
    if is_impact(contact) && !crowded {
        note_ball(gathered, contact, i, j);
        return;
    }
    let k = add(mul(body.shape.z, body.shape.y), mul(other.shape.z, other.shape.y));
    var amount = push_of(contact);
    if is_impact(contact) {
        amount = rebound(contact, !is_movable(other));
    }
    let impulse = impulse_of(amount, k);
    if !is_impact(contact) {
        (*gathered).resting = (*gathered).resting || amount > 0.0;
        if is_movable(other) {
            let steepness = dot2(contact.normal, vec2(params.down_x, params.down_y));
            let speed = mul(add(body.shape.z, other.shape.z), impulse);
            (*gathered).load = add((*gathered).load, mul(mul(steepness, steepness), speed));
        }
    }
    (*gathered).change = changed((*gathered).change, contact, mul(body.shape.z, impulse));
}

// A walk is taken by crowded balls only.
fn visit(gathered: ptr<function, Visitor>, i: u32, j: u32) {
    meet_ball(gathered, i, j, true);
}

fn meet_surface(gathered: ptr<function, Visitor>, index: u32, crowded: bool) {
    let body = (*gathered).body;
    let contact = surface_contact(body, index, kick.elapsed_s);
    if !contact.touching {
        return;
    }
    (*gathered).sums = with_normal((*gathered).sums, contact.normal);
    if is_impact(contact) && !crowded {
        note_surface(gathered, contact, index);
        return;
    }
    var amount = push_of(contact);
    if is_impact(contact) {
        amount = rebound(contact, true);
    } else {
        (*gathered).resting = (*gathered).resting || amount > 0.0;
    }
    let speed = mul(body.shape.z, impulse_of(amount, mul(body.shape.z, body.shape.y)));
    (*gathered).change = changed((*gathered).change, contact, speed);
}

// The change of velocity with the impacts of ball i, which is not crowded, that are answered in this pass.
fn answer_impacts(gathered: Visitor, i: u32) -> vec2<f32> {
    let body = gathered.body;
    var change = gathered.change;
    let w = body.shape.z;
    let own_share = mul(w, body.shape.y);
    let waits = params.first_impact > 0u && !gathered.resting;
    let count = nearby_at(i).x;
    for (var slot = 0u; slot < count; slot++) {
        let j = candidates_at(slot * params.capacity + i);
        let other = partner_at(body, j);
        let contact = pair_contact(body, other, i, j);
        if !contact.touching || !is_impact(contact) {
            continue;
        }
        let immovable = !is_movable(other);
        var k = add(own_share, mul(other.shape.z, other.shape.y));
        if waits && nearby_at(j).x <= SLOTS {
            var theirs = visitor_of(other);
            theirs.partner = i;
            if !immovable {
                theirs = meetings_of(j);
            }
            if !theirs.resting {
                if gathered.partner != j || theirs.partner != i {
                    continue;
                }
                k = add(w, larger(other.shape.z, 0.0));
            }
        }
        change = changed(change, contact, mul(w, impulse_of(rebound(contact, immovable), k)));
    }
    for (var left = surfaces_of(body, i); left > 0u; left &= left - 1u) {
        let index = firstTrailingBit(left);
        let contact = surface_contact(body, index, kick.elapsed_s);
        if contact.touching && is_impact(contact) && (!waits || gathered.partner == surface_id(index)) {
            let k = select(own_share, w, waits);
            change = changed(change, contact, mul(w, impulse_of(rebound(contact, true), k)));
        }
    }
    return change;
}

// Keeps the pushes from raising the ball's speed above the cap.
fn capped(body: Record, change: vec2<f32>) -> vec2<f32> {
    let v = vec2(add(body.motion.z, change.x), add(body.motion.w, change.y));
    let squared = dot2(v, v);
    let allowed = larger(dot2(body.motion.zw, body.motion.zw), params.push_speed_squared);
    if squared > allowed {
        let factor = mul(root(allowed), rsqrt(squared));
        return vec2(sub(mul(v.x, factor), body.motion.z), sub(mul(v.y, factor), body.motion.w));
    }
    return change;
}

// Speed against gravity that a grounded ball under a load is given.
fn relief(body: Record, load: f32) -> f32 {
    let falling = dot2(body.motion.zw, vec2(params.down_x, params.down_y));
    let sinking = sub(falling, params.gravity_kick);
    let relief = mul(params.relief, load);
    return smaller(larger(add(relief, mul(params.relief_drag, sinking)), 0.0), add(relief, relief));
}

fn moved(body: Record) -> Record {
    var out = body;
    out.motion.x = add(body.motion.x, mul(body.motion.z, params.substep_s));
    out.motion.y = add(body.motion.y, mul(body.motion.w, params.substep_s));
    return out;
}

// The ball of slot i after it has moved: back on a surface, and rebounding no faster than it came, if several meetings
// of one pass have sent its centre through.
fn kept_in(body: Record, i: u32) -> Record {
    var out = body;
    for (var left = surfaces_of(body, i); left > 0u; left &= left - 1u) {
        let index = firstTrailingBit(left);
        let gap = surface_gap_after(out, index, add(kick.elapsed_s, params.substep_s));
        if gap < sub(0.0, out.shape.x) {
            let normal = vec2(params.surfaces[index].normal_x, params.surfaces[index].normal_y);
            let leaving = smaller(dot2(sub2(out.motion.zw, surface_velocity(out, index)), normal), 0.0);
            out.motion.x = sub(out.motion.x, mul(gap, normal.x));
            out.motion.y = sub(out.motion.y, mul(gap, normal.y));
            let change = mul(add(1.0, smaller(surface_restitution(out, index), 1.0)), leaving);
            out.motion.z = snap(sub(out.motion.z, mul(change, normal.x)));
            out.motion.w = snap(sub(out.motion.w, mul(change, normal.y)));
        }
    }
    return out;
}

// Answers the contacts of ball i and moves it; false if it is crowded or in an impact and the kernel defers those.
fn substep(i: u32) -> bool {
    var body = bodies_at(i);
    if is_asleep(body) {
        // `bodies_out` holds it already.
        return true;
    }
    if !is_movable(body) {
        if !is_segment(i) {
            body = moved(body);
        }
        bodies_out[i] = body;
        return true;
    }
    var gathered = visitor_of(body);
    let count = nearby_at(i).x;
    let crowded = count > SLOTS;
    // A software adapter runs both sides of every branch: what few balls need stands in one place each.
    if crowded {
        if !DEFERS {
            walk(&gathered, i);
        }
    } else {
        for (var slot = 0u; slot < count; slot++) {
            meet_ball(&gathered, i, candidates_at(slot * params.capacity + i), false);
        }
    }
    for (var left = surfaces_of(body, i); left > 0u; left &= left - 1u) {
        meet_surface(&gathered, firstTrailingBit(left), crowded);
    }
    if DEFERS && (crowded || gathered.impacts) {
        return false;
    }
    gathered.change = capped(body, gathered.change);
    if gathered.impacts && !DEFERS {
        gathered.change = answer_impacts(gathered, i);
    }

    let split = split_of(gathered.sums);
    body.shape.y = select(split, larger(body.shape.y, split), is_hurried(body));
    let relieved = select(0.0, relief(body, gathered.load), supporter_at(i) == GROUND);
    let v = vec2(
        sub(add(body.motion.z, gathered.change.x), mul(relieved, params.down_x)),
        sub(add(body.motion.w, gathered.change.y), mul(relieved, params.down_y)),
    );
    let speed_squared = dot2(v, v);
    var factor = 1.0;
    if speed_squared > params.most_speed_squared {
        factor = mul(root(params.most_speed_squared), rsqrt(speed_squared));
    }
    body.motion.z = snap(mul(v.x, factor));
    body.motion.w = snap(mul(v.y, factor));
    body = moved(flagged(body, is_held(body), hurries(body)));
    bodies_out[i] = kicked(kept_in(body, i));
    return true;
}
