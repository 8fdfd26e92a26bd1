// The candidates of a ball from its list, or by a walk where the list is too short.

struct Cursor {
    walk: Walk,
    walking: bool,
    ball: u32,
    slot: u32,
    count: u32,
}

fn cursor_at(i: u32) -> Cursor {
    var cursor: Cursor;
    cursor.ball = i;
    cursor.count = candidate_count[i];
    cursor.walking = cursor.count > SLOTS;
    if cursor.walking {
        cursor.walk = walk_from(i);
    }
    return cursor;
}

// The next candidate's slot, or NONE.
fn next_candidate(cursor: ptr<function, Cursor>) -> u32 {
    if (*cursor).walking {
        return next_in_walk(&(*cursor).walk);
    }
    let slot = (*cursor).slot;
    if slot >= (*cursor).count {
        return NONE;
    }
    (*cursor).slot = slot + 1u;
    return candidates[slot * params.count + (*cursor).ball];
}
