import 'fake-indexeddb/auto'
import { syncInventory } from '#extension/background/inventory/sync-inventory.ts'
import { InventoryCache, readRows } from '#extension/storage/inventory-cache/database.ts'
import { rowOf } from '#extension/storage/inventory-cache/row.ts'
import { searchRows } from '#extension/storage/inventory-cache/search-rows.ts'
import { buildHarness, signedInTo } from '#extension/testing/harness.ts'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { filterRows } from '#extension/ui/inventory/filter-rows.ts'
import { fastestMs } from './fastest.ts'

/** Syncs 10,000 items into the cache and runs the pages' queries, with IndexedDB in memory (fake-indexeddb). */
const count = 10_000
const items = sampleInventory(count)
const harness = await buildHarness()
harness.server.inventory.push(...items)
const inventory = new InventoryCache('bench')
const call = harness.context.clientOf(signedInTo(harness.server))

const begun = performance.now()
while ((await syncInventory({ inventory, call, now: Date.now })).more) {}
const synced = performance.now() - begun
const again = performance.now()
await syncInventory({ inventory, call, now: Date.now })
const unchanged = performance.now() - again
const reading = performance.now()
await readRows(inventory)
const read = performance.now() - reading

const rows = items.map((item) => rowOf(item, 1))
const search = fastestMs(() => searchRows(rows, 'wool green'))
const miss = fastestMs(() => searchRows(rows, 'no such thing'))
const filter = fastestMs(() => filterRows(rows, { state: 'available', on: 'ebay', off: 'depop', query: '' }))
const regex = /wool.*green|green.*wool/i
const reference = fastestMs(() => items.filter((item) => regex.test(item.record.title)))

const print = (what: string, ms: number, note = '') =>
  console.log(`${what.padEnd(52)} ${ms.toFixed(1).padStart(9)} ms  ${note}`)
print(`${count} items: server pages to the cache`, synced, `${Math.round(count / (synced / 1000))} items/s`)
print('again, nothing changed', unchanged)
print('all rows from the copy', read)
print('search, many found', search, `a regular expression over the titles: ${reference.toFixed(1)} ms`)
print('search, nothing found', miss)
print('filter: available, on eBay, not on Depop', filter)
await inventory.delete()
await harness.close()
