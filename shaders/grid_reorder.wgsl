// Records into cell order, by id inside a cell: see src/stage/grid_reorder.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read_write> bodies_out: array<Record>;
@group(0) @binding(3) var<storage, read> homes: array<Home>;
@group(0) @binding(4) var<storage, read_write> homes_out: array<Home>;
@group(0) @binding(5) var<storage, read> cell_of: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> cell_start: array<u32>;
@group(0) @binding(7) var<storage, read> members: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read_write> held: array<u32, 2>;

@compute @workgroup_size(WORKGROUP)
fn grid_reorder(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let cell = cell_of_at(i).x;
    let id = homes_at(i).id;
    let first = cell_start_at(cell);
    var slot = first;
    for (var m = first; m < cell_start_at(cell + 1u); m++) {
        slot += select(0u, 1u, members_at(m).x < id);
    }
    let body = bodies_at(i);
    bodies_out[slot] = body;
    homes_out[slot] = Home(body.motion.xy, reach_at(body, i), id);
    if held[0] == id + 1u {
        held[1] = slot;
    }
}
