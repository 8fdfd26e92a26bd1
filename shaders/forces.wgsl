// The coming substep's forces: see src/stage/apply_forces.rs.

fn hurries(body: Record) -> bool {
    let limit = mul(body.shape.x, params.hurry_rate);
    return dot2(body.motion.zw, body.motion.zw) > mul(limit, limit);
}

fn kicked(body: Record) -> Record {
    var out = body;
    out.motion.z = add(body.motion.z, kick.x);
    out.motion.w = add(body.motion.w, kick.y);
    if is_held(body) && kick.spring_s > 0.0 {
        let pull = mul(mul(params.spring_stiffness, body.shape.z), kick.spring_s);
        let brake = mul(mul(params.spring_damping, body.shape.z), kick.spring_s);
        let inverse = recip(add(add(1.0, brake), mul(pull, kick.spring_s)));
        out.motion.z = mul(add(out.motion.z, mul(pull, sub(pointer.x, body.motion.x))), inverse);
        out.motion.w = mul(add(out.motion.w, mul(pull, sub(pointer.y, body.motion.y))), inverse);
    }
    return out;
}
