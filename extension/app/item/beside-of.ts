/** Returns the items beside one in the order of the table, null past its ends and for an item that is not in it. */
export function besideOf(
  order: readonly string[],
  uid: string,
): { previous: string | null; next: string | null; at: number; total: number } {
  const index = order.indexOf(uid)
  const beside = (step: number) => (index < 0 ? null : (order[index + step] ?? null))
  return { previous: index > 0 ? beside(-1) : null, next: beside(1), at: index + 1, total: order.length }
}
