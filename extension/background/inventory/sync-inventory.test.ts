import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRows, Stock, wasSynced } from '#extension/storage/inventory-cache/database.ts'
import { openStock } from '#extension/storage/inventory-cache/open.ts'
import { type Bench, buildBench } from '#extension/testing/harness.ts'
import { sampleItem, sampleStock } from '#extension/testing/sample-inventory.ts'
import { sync } from '../handlers/inventory-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'

let bench: Bench
beforeEach(async () => {
  bench = await buildBench()
})
afterEach(() => bench.close())

const reads = () => bench.server.requests.filter((request) => request.operation === 'listInventory').length

/** Syncs to the end; how many rows changed. */
async function syncAll(): Promise<number> {
  let changed = 0
  for (let step = 0; step < 100; step++) {
    const answer = await sync(bench.context)
    expect(answer.trouble).toBeNull()
    changed += answer.changed
    if (!answer.more) return changed
  }
  throw new Error('It never ends.')
}
const uids = async () => (await readRows(bench.stock)).map((row) => row.uid)
const expected = () =>
  bench.server.inventory
    .map((item) => item.uid)
    .sort()
    .reverse()

describe('the copy of the inventory', () => {
  it('holds every item once, newest first', async () => {
    bench.server.inventory.push(...sampleStock(1_234))
    expect(await syncAll()).toBe(1_234)
    expect(await uids()).toEqual(expected())
    expect(await wasSynced(bench.stock)).toBe(true)
  })

  it('reads only what changed the next time', async () => {
    bench.server.inventory.push(...sampleStock(500))
    await syncAll()
    const before = reads()
    bench.server.stock.change(bench.server.inventory[300]!, 'withdrawn')
    bench.server.inventory.push(sampleItem(9_001, { created_at: now(), updated_at: now() }))
    expect(await syncAll()).toBe(2)
    expect(reads() - before).toBe(1)
    expect((await bench.stock.rows.get(bench.server.inventory[300]!.uid))?.state).toBe('withdrawn')
    expect(await uids()).toEqual(expected())
  })

  it('says that nothing changed when nothing did', async () => {
    bench.server.inventory.push(...sampleStock(50))
    await syncAll()
    expect(await syncAll()).toBe(0)
  })

  it('loses what was deleted at the next full walk, a day later', async () => {
    bench.server.inventory.push(...sampleStock(250))
    await syncAll()
    bench.server.inventory.splice(100, 50)
    expect(await syncAll()).toBe(0)
    bench.now.value += 25 * 3_600_000
    expect(await syncAll()).toBe(50)
    expect(await uids()).toEqual(expected())
    expect(await bench.stock.items.count()).toBe(200)
  })

  it('goes on at the same page after the worker died or the network failed', async () => {
    bench.server.inventory.push(...sampleStock(2_050))
    expect((await sync(bench.context)).more).toBe(true)
    await bench.restart()
    bench.server.faults.push({ operation: 'listInventory', code: 'network', times: 1 })
    expect((await sync(bench.context)).trouble).toMatchObject({ code: 'offline' })
    expect((await readRows(bench.stock)).length).toBe(1_000)
    await syncAll()
    expect(await uids()).toEqual(expected())
    // 21 pages and the one that failed.
    expect(reads()).toBe(22)
  })

  it('finds what changed behind a walk that took long', async () => {
    bench.server.inventory.push(...sampleStock(1_500).map((item) => ({ ...item, updated_at: now() })))
    await sync(bench.context)
    const newest = [...bench.server.inventory].sort((one, other) => (one.uid < other.uid ? 1 : -1))[0]!
    bench.server.stock.change(newest, 'withdrawn')
    // An hour later, by both clocks, the walk goes on and sees something that changed only now.
    bench.now.value += 3_600_000
    const last = [...bench.server.inventory].sort((one, other) => (one.uid < other.uid ? -1 : 1))[0]!
    last.updated_at = new Date(Date.now() + 3_600_000).toISOString()
    await syncAll()
    await syncAll()
    expect((await bench.stock.rows.get(newest.uid))?.state).toBe('withdrawn')
  })

  it('is of one account only: it goes with signing out', async () => {
    bench.server.inventory.push(...sampleStock(30))
    await syncAll()
    await popupHandlers(bench.context)['popup.signOut']({})
    for (const table of bench.stock.tables) expect(await table.count(), table.name).toBe(0)
  })

  it('ends with the key', async () => {
    bench.server.keys.clear()
    expect((await sync(bench.context)).trouble).toMatchObject({ code: 'unauthenticated' })
    expect((await sync(bench.context)).trouble).toBeNull()
    expect(reads()).toBe(1)
  })

  it('is made anew when a newer version left it behind', async () => {
    const name = 'left-behind'
    const newer = new Stock(name)
    newer.version(99).stores({ rows: 'uid, walk', items: 'uid', sync: 'key', more: '' })
    await newer.open()
    newer.close()
    const stock = await openStock(name)
    expect(await stock.rows.count()).toBe(0)
    await stock.delete()
  })
})

describe('two that read at once', () => {
  it('read every page once, and hold every item once', async () => {
    bench.server.inventory.push(...sampleStock(450))
    await Promise.all([syncAll(), syncAll(), syncAll()])
    expect(await uids()).toEqual(expected())
    const cursors = bench.server.requests
      .filter((request) => request.operation === 'listInventory' && !request.path.includes('updated_since'))
      .map((request) => request.path)
    expect(new Set(cursors).size).toBe(cursors.length)
  })

  it('seven days without a network end with all that was changed, added and deleted meanwhile', async () => {
    bench.server.inventory.push(...sampleStock(150))
    await syncAll()
    bench.now.value += 7 * 86_400_000
    const [gone, changed] = bench.server.inventory.splice(0, 1).concat(bench.server.inventory[0]!)
    bench.server.stock.change(changed!, 'sold')
    bench.server.inventory.push(sampleItem(9_000))
    await syncAll()
    expect(await uids()).toEqual(expected())
    expect(await bench.stock.rows.get(gone!.uid)).toBeUndefined()
    expect((await bench.stock.rows.get(changed!.uid))?.state).toBe('sold')
  })
})

describe('one item', () => {
  it('is shown as last read without a network, and gone when the server has it no more', async () => {
    bench.server.inventory.push(...sampleStock(3))
    await syncAll()
    const { uid } = bench.server.inventory[1]!
    const ask = () => popupHandlers(bench.context)['stock.item']({ uid })
    expect(await ask()).toMatchObject({ item: { uid }, history: [], trouble: null })
    bench.server.faults.push({ operation: 'getInventoryItem', code: 'network', times: 1 })
    expect(await ask()).toMatchObject({ item: { uid }, history: null, trouble: { code: 'offline' } })
    bench.server.inventory.splice(1, 1)
    await expect(ask()).rejects.toMatchObject({ code: 'not_found' })
    expect(await bench.stock.rows.get(uid)).toBeUndefined()
  })
})

describe('many items at once', () => {
  it('a press that is repeated because its answer was lost makes one job', async () => {
    bench.server.inventory.push(...sampleStock(4))
    bench.server.faults.push({ operation: 'bulkList', code: 'lost_reply', times: 1 })
    const request = {
      action: 'list',
      uids: await uidsOnServer(),
      platforms: ['ebay'],
      key: crypto.randomUUID(),
    } as const
    const press = () => popupHandlers(bench.context)['stock.bulk']({ ...request, platforms: ['ebay'] })
    await expect(press()).rejects.toThrow()
    const job = await press()
    expect(bench.server.stock.bulkJobs).toHaveLength(1)
    expect(await popupHandlers(bench.context)['stock.bulkJob']({ uid: job.uid, page: 1 })).toMatchObject({ count: 4 })
  })

  it('marking as sold what was marked already is no error', async () => {
    bench.server.inventory.push(sampleItem(0))
    const [uid] = await uidsOnServer()
    bench.server.faults.push({ operation: 'markItemSold', code: 'lost_reply', times: 1 })
    const mark = () => popupHandlers(bench.context)['stock.markSold']({ uid: uid! })
    await expect(mark()).rejects.toThrow()
    expect(await mark()).toMatchObject({ uid, state: 'sold' })
  })
})

const uidsOnServer = async () => bench.server.inventory.map((item) => item.uid)
const now = () => new Date().toISOString()
