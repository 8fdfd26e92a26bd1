// Which blocks of slots hold a ball that is awake: see src/stage/find_awake.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read_write> bodies_out: array<Record>;
@group(0) @binding(3) var<storage, read_write> nearby: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> supporter: array<u32>;
@group(0) @binding(5) var<storage, read_write> supporter_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> awake_blocks: array<atomic<u32>>;

// Lists a block, unless another of its balls has. The dispatch of the blocks listed has rows as long as those of this
// one, which has at least as many blocks.
fn list_block(block: u32, row: u32) {
    if atomicExchange(&awake_blocks[BLOCKS + 2u * block + 1u], 1u) == 1u {
        return;
    }
    let place = atomicAdd(&awake_blocks[LISTED], 1u);
    atomicStore(&awake_blocks[BLOCKS + 2u * place], block);
    atomicMax(&awake_blocks[0], min(place + 1u, row));
    atomicMax(&awake_blocks[1], place / row + 1u);
}

@compute @workgroup_size(WORKGROUP)
fn find_awake(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let body = bodies_at(i);
    bodies_out[i] = body;
    if is_asleep(body) {
        nearby[i] = vec2(0u);
        supporter[i] = GROUND;
        supporter_out[i] = GROUND;
    } else {
        list_block(group_index(group, groups), groups.x);
    }
}
