import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { readRows } from './database.ts'
import { openInventoryCache } from './open.ts'
import { rowOf } from './row.ts'

it('reads the newest rows first', async () => {
  const cache = await openInventoryCache('rows')
  await cache.rows.bulkAdd(sampleInventory(120).map((item) => rowOf(item, 1)))
  const all = await readRows(cache)
  expect(all).toHaveLength(120)
  expect(await readRows(cache, 50)).toEqual(all.slice(0, 50))
  await cache.delete()
})
