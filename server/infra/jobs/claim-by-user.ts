/** Looks at most this often, in case what is due is locked for long. */
const looks = 3

/**
 * Claims due rows of several users in two steps. `find` reads what is due; `take` claims the rows of one user, skipping locked
 * ones and those that another worker has taken since. Where tables are distributed by user, a statement about one user can
 * lock rows, and one about all cannot. Looks again if others took everything.
 */
export async function claimByUser<Due extends { user_id: number }, Row>(
  find: () => Promise<Due[]>,
  take: (user_id: number, due: Due[]) => Promise<Row[]>,
): Promise<Row[]> {
  for (let look = 0; look < looks; look++) {
    const due = await find()
    const taken = await Promise.all([...Map.groupBy(due, (row) => row.user_id)].map(([user, own]) => take(user, own)))
    if (due.length === 0 || taken.some((rows) => rows.length > 0)) return taken.flat()
  }
  return []
}
