// The candidates of a ball in their fixed order: see src/stage/list_contacts.rs.

// Calls visit(visitor, i, j) for each candidate j of ball i. The stage's own shader says what a Visitor is and what
// visit does.
fn walk(visitor: ptr<function, Visitor>, i: u32) {
    let own = homes_at(i);
    for (var index = 0u; index < params.level_count; index++) {
        let level = params.levels[index];
        if cell_start_at(level.first) == cell_start_at(level.end) {
            continue;
        }
        let span = add(own.reach, level.reach);
        let first = level.first + column(index, sub(own.place.x, span));
        let last = level.first + column(index, add(own.place.x, span)) + 1u;
        let last_row = row(index, add(own.place.y, span));
        for (var y = row(index, sub(own.place.y, span)); y <= last_row; y++) {
            let end = cell_start_at(last + y * level.columns);
            for (var j = cell_start_at(first + y * level.columns); j < end; j++) {
                let other = homes_at(j);
                let d = sub2(other.place, own.place);
                let reaches = add(own.reach, other.reach);
                if dot2(d, d) < mul(reaches, reaches) && j != i {
                    visit(visitor, i, j);
                }
            }
        }
    }
}
