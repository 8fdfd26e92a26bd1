// How balls fall asleep and wake: see src/body.rs.

fn woken(sleeper: Record) -> Record {
    var out = sleeper;
    out.shape.y = 1.0;
    out.shape.z = -sleeper.shape.z;
    return out;
}

fn put_to_sleep(body: Record) -> Record {
    let flags = f32(u32(body.shape.w) & (DRIVEN | (HELD - 1u)));
    return Record(vec4(body.motion.xy, 0.0, 0.0), vec4(body.shape.x, 0.0, -body.shape.z, flags));
}

fn quiet_for(body: Record, steps: u32) -> Record {
    var out = body;
    out.shape.w = f32(u32(body.shape.w) % QUIET + steps * QUIET);
    return out;
}
