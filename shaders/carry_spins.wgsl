// Each ball's turning into its new slot: see src/stage/carry_spins.rs.

@group(0) @binding(1) var<storage, read> homes: array<Home>;
@group(0) @binding(2) var<storage, read> cell_start: array<u32>;
@group(0) @binding(3) var<storage, read> members: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> spins: array<Spin>;
@group(0) @binding(5) var<storage, read_write> spins_out: array<Spin>;

@compute @workgroup_size(WORKGROUP)
fn carry_spins(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let spin = spins[old_slot(i)];
    let turns = i32(smaller(larger(mul(spin.angle, TURNS), -MOST_TURNS), MOST_TURNS));
    let angle = sub(spin.angle, mul(TAU, f32(turns)));
    spins_out[i] = Spin(spin.rate, angle, angle);
}
