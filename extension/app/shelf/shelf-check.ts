import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'

/** The shelf check of this device. Absent: the seller does not want one. */
export interface ShelfCheck {
  /** The day of the items below, in the seller's time zone. */
  day: string
  /** Today's items, in the order of their places. */
  uids: string[]
  /** Those of them that were looked for. */
  seen: string[]
}

/** A check that is wanted, whose first items are chosen when it is looked at. */
export const notBegun: ShelfCheck = { day: '', uids: [], seen: [] }

const key = 'shelf.check'
const perDay = 10

export function readShelfCheck(): ShelfCheck | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export function keepShelfCheck(check: ShelfCheck | null): void {
  if (check) localStorage.setItem(key, JSON.stringify(check))
  else localStorage.removeItem(key)
}

/** Returns whether the check of a day has items left to look for. */
export const isDue = (check: ShelfCheck | null, day: string): boolean =>
  check !== null && (check.day !== day || check.seen.length < check.uids.length)

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Items without a place come last. */
const byPlace = (one: InventoryRow, other: InventoryRow) =>
  Number(one.location === null) - Number(other.location === null) ||
  collator.compare(one.location ?? '', other.location ?? '') ||
  (one.uid < other.uid ? -1 : Number(one.uid > other.uid))

/**
 * Returns the check of a day: the one that was begun, without items that have left the shelf unseen, else the next ten
 * available items after those of the day before, in the order of their places. It begins again after the last place.
 */
export function checkOf(day: string, before: ShelfCheck | null, rows: readonly InventoryRow[]): ShelfCheck {
  if (before?.day === day && before.uids.length > 0) {
    const available = new Set(rows.filter(({ state }) => state === 'available').map(({ uid }) => uid))
    const uids = before.uids.filter((uid) => before.seen.includes(uid) || available.has(uid))
    return uids.length === before.uids.length ? before : { ...before, uids }
  }
  const last = rows.find(({ uid }) => uid === before?.uids.at(-1))
  const shelf = rows.filter(({ state }) => state === 'available').sort(byPlace)
  const next = last ? shelf.findIndex((row) => byPlace(row, last) > 0) : 0
  const start = Math.max(next, 0)
  const uids = [...shelf.slice(start), ...shelf.slice(0, start)].slice(0, perDay).map(({ uid }) => uid)
  return { day, uids, seen: [] }
}
