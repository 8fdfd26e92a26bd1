// The arithmetic of the stages over many values: see src/gpu/self_test.rs.

@group(0) @binding(1) var<storage, read> inputs: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> outputs: array<array<f32, 8>>;

@compute @workgroup_size(WORKGROUP)
fn self_test(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let a = inputs[i].x;
    let b = inputs[i].y;
    let size = abs(a);
    outputs[i] = array(
        mul(a, b),
        add(a, b),
        sub(a, b),
        rsqrt(size),
        recip(size),
        root(size),
        add(mul(a, b), mul(a, mul(0.3, b))),
        sub(add(a, b), a),
    );
}
