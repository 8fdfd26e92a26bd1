// Where a ball was before the step put it into its slot: see src/stage/grid_reorder.rs.

fn old_slot(i: u32) -> u32 {
    let home = homes_at(i);
    let cell = cell_of_home(home.place, home.reach, i, home.id);
    var m = cell_start_at(cell);
    let last = cell_start_at(cell + 1u) - 1u;
    while m < last && members_at(m).x != home.id {
        m++;
    }
    return members_at(m).y;
}
