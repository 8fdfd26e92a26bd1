// The candidates of a ball from its list, or by a walk where the list is too short.

fn candidates_of(i: u32) -> Walk {
    let count = candidate_count[i];
    var walk: Walk;
    if count > SLOTS {
        walk = walk_from(i);
    } else {
        walk.ball = i;
        walk.listed = true;
        walk.count = count;
    }
    return walk;
}

// The next candidate's slot, or NONE.
fn next_candidate(walk: ptr<function, Walk>) -> u32 {
    if !(*walk).listed {
        return next_in_walk(walk);
    }
    let slot = (*walk).slot;
    if slot >= (*walk).count {
        return NONE;
    }
    (*walk).slot = slot + 1u;
    return candidates[slot * params.count + (*walk).ball];
}
