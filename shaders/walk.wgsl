// The candidates of a ball in their fixed order: see src/stage/list_contacts.rs.

struct Walk {
    home: Home,
    ball: u32,
    level: u32,
    row: u32,
    last_row: u32,
    first_cell: u32,
    last_cell: u32,
    next: u32,
    end: u32,
}

fn walk_from(i: u32) -> Walk {
    var walk: Walk;
    walk.home = homes[i];
    walk.ball = i;
    enter_level(&walk);
    return walk;
}

fn enter_level(walk: ptr<function, Walk>) {
    let level = (*walk).level;
    let place = (*walk).home.place;
    let span = add((*walk).home.reach, params.levels[level].reach);
    let first = params.levels[level].first;
    (*walk).first_cell = first + column(level, sub(place.x, span));
    (*walk).last_cell = first + column(level, add(place.x, span));
    (*walk).row = row(level, sub(place.y, span));
    (*walk).last_row = row(level, add(place.y, span));
    if cell_start[first] == cell_start[params.levels[level].end] {
        (*walk).row = 0u;
        (*walk).last_row = 0u;
        (*walk).next = 0u;
        (*walk).end = 0u;
    } else {
        enter_row(walk);
    }
}

fn enter_row(walk: ptr<function, Walk>) {
    let cells_above = (*walk).row * params.levels[(*walk).level].columns;
    (*walk).next = cell_start[(*walk).first_cell + cells_above];
    (*walk).end = cell_start[(*walk).last_cell + cells_above + 1u];
}

// The next candidate's slot, or NONE.
fn next_in_walk(walk: ptr<function, Walk>) -> u32 {
    loop {
        while (*walk).next < (*walk).end {
            let j = (*walk).next;
            (*walk).next = j + 1u;
            let home = homes[j];
            let d = sub2(home.place, (*walk).home.place);
            let reaches = add((*walk).home.reach, home.reach);
            if dot2(d, d) < mul(reaches, reaches) && j != (*walk).ball {
                return j;
            }
        }
        if (*walk).row < (*walk).last_row {
            (*walk).row++;
            enter_row(walk);
        } else if (*walk).level + 1u < params.level_count {
            (*walk).level++;
            enter_level(walk);
        } else {
            return NONE;
        }
    }
    return NONE;
}
