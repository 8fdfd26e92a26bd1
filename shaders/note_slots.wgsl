// The slot of each ball: see src/stage/note_slots.rs.

@group(0) @binding(1) var<storage, read> homes: array<Home>;
@group(0) @binding(2) var<storage, read_write> slot_of: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn note_slots(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i < params.balls {
        slot_of[homes_at(i).id] = i;
    }
}
