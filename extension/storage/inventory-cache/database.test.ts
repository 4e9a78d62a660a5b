import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { readRows } from './database.ts'
import { openInventoryCache } from './open.ts'
import { rowOf } from './row.ts'

it('makes rows of an earlier version searchable without hyphens', async () => {
  const earlier = new Dexie('earlier')
  earlier.version(1).stores({ rows: 'uid, pass', items: 'uid', sync: 'key' })
  await earlier.table('rows').add({ uid: 'itm_1', pass: 1, words: "levi's t-shirt" })
  earlier.close()
  const cache = await openInventoryCache('earlier')
  expect((await readRows(cache)).map(({ words }) => words)).toEqual(['levis t-shirt levis tshirt'])
  await cache.delete()
})

it.each([2, 3])('reads all items again for rows of version %i, with fewer columns', async (version) => {
  const earlier = new Dexie('fewer-columns')
  earlier.version(version).stores({ rows: 'uid, pass', items: 'uid', sync: 'key' })
  await earlier.table('rows').add({ uid: 'itm_1', pass: 1, words: '' })
  await earlier.table('sync').add({ key: 'sync', phase: 'idle', full_at: 1_700_000_000_000 })
  earlier.close()
  const cache = await openInventoryCache('fewer-columns')
  expect(await readRows(cache)).toMatchObject([{ brand: null, category: null, cost_minor: null, listed_at: null }])
  expect(await cache.sync.get('sync')).toMatchObject({ full_at: 0 })
  await cache.delete()
})

it('reads all items again for rows without product codes', async () => {
  const earlier = new Dexie('no-codes')
  earlier.version(4).stores({ rows: 'uid, pass', items: 'uid', sync: 'key' })
  await earlier.table('sync').add({ key: 'sync', phase: 'idle', full_at: 1_700_000_000_000 })
  earlier.close()
  const cache = await openInventoryCache('no-codes')
  expect(await cache.sync.get('sync')).toMatchObject({ full_at: 0 })
  await cache.delete()
})

it('reads the newest rows first', async () => {
  const cache = await openInventoryCache('rows')
  await cache.rows.bulkAdd(sampleInventory(120).map((item) => rowOf(item, 1)))
  const all = await readRows(cache)
  expect(all).toHaveLength(120)
  expect(await readRows(cache, 50)).toEqual(all.slice(0, 50))
  await cache.delete()
})
