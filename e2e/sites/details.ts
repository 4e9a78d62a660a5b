/** Ends of titles, which tell an item from another of its kind. */
const details =
  'barely used|like new|from the 60s|from the 70s|from the 80s|from the 90s|made in Italy|made in Japan|made in USA|made in Portugal|made in France|made in Spain|estate find|one owner|deadstock|limited edition|museum quality|slightly faded|with tag|with dust bag|with repair|gently used|minor wear|recently cleaned|hand-finished|studio piece|from a boutique|from London|from Texas|pet-free home|never displayed'.split(
    '|',
  )

/** Returns the detail of a seller's n-th item (n from 0), different for 31 items of each of the `kinds`. */
export const detailOf = (n: number, kinds: number): string => details[(n + Math.floor(n / kinds)) % details.length]!
