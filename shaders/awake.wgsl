// The balls of the blocks that are awake: see src/stage/find_awake.rs. The stage's own shader binds `awake_blocks`.

// The slot that an invocation takes, or NONE.
fn awake_index(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    var block = group_index(group, groups);
    if params.sleep_speed_squared > 0.0 {
        if block >= awake_blocks[LISTED] {
            return NONE;
        }
        block = awake_blocks[BLOCKS + 2u * block];
    }
    return block * WORKGROUP + local;
}
