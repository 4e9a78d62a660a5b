import { describe, expect, it } from 'vitest'
import { rowOf } from '#extension/storage/inventory-cache/row.ts'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { dayOf } from '../common/format.ts'
import { checkOf, isDue } from './shelf-check.ts'

const rows = sampleInventory(25).map((item, at) => ({
  ...rowOf(item, 1),
  state: 'available' as const,
  location: at === 0 ? null : `A${at}`,
}))
const placesOf = (uids: readonly string[]) => uids.map((uid) => rows.find((row) => row.uid === uid)!.location)

describe('the shelf check', () => {
  it('goes through the places ten items a day, and begins again after the last', () => {
    const first = checkOf('2026-11-27', null, rows)
    expect(placesOf(first.uids)).toEqual(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10'])
    expect(checkOf('2026-11-27', first, rows)).toBe(first)
    const second = checkOf('2026-11-28', first, rows)
    expect(placesOf(second.uids).slice(0, 2)).toEqual(['A11', 'A12'])
    const third = checkOf('2026-11-30', second, rows)
    expect(placesOf(third.uids)).toEqual(['A21', 'A22', 'A23', 'A24', null, 'A1', 'A2', 'A3', 'A4', 'A5'])
  })

  it('asks for available items alone, and for as many as there are', () => {
    const few = rows.slice(0, 4).map((row, at) => ({ ...row, state: at === 1 ? ('sold' as const) : row.state }))
    expect(placesOf(checkOf('2026-11-27', null, few).uids)).toEqual(['A2', 'A3', null])
  })

  it('goes on where it was after its last item was sold, and begins anew after it was deleted', () => {
    const first = checkOf('2026-11-27', null, rows)
    const last = first.uids.at(-1)
    const sold = rows.map((row) => (row.uid === last ? { ...row, state: 'sold' as const } : row))
    expect(placesOf(checkOf('2026-11-28', first, sold).uids)[0]).toBe('A11')
    const deleted = rows.filter(({ uid }) => uid !== last)
    expect(placesOf(checkOf('2026-11-28', first, deleted).uids)[0]).toBe('A1')
  })

  it('is due until all of the day’s items were looked for, and again the next day', () => {
    const check = checkOf('2026-11-27', null, rows)
    expect(isDue(null, '2026-11-27')).toBe(false)
    expect(isDue(check, '2026-11-27')).toBe(true)
    const done = { ...check, seen: check.uids }
    expect([isDue(done, '2026-11-27'), isDue(done, '2026-11-28')]).toEqual([false, true])
  })

  it('has days of the seller’s own time zone', () => {
    expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
  })
})
