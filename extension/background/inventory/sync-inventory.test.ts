import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InventoryCache, readRows, wasSynced } from '#extension/storage/inventory-cache/database.ts'
import { openInventoryCache } from '#extension/storage/inventory-cache/open.ts'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { sampleInventory, sampleItem } from '#extension/testing/sample-inventory.ts'
import { sync } from '../handlers/inventory-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

const reads = () => harness.server.requests.filter((request) => request.operation === 'listInventory').length

/** Syncs to the end and returns the number of changed rows. */
async function syncAll(): Promise<number> {
  let changed = 0
  for (let step = 0; step < 100; step++) {
    const answer = await sync(harness.context)
    expect(answer.trouble).toBeNull()
    changed += answer.changed
    if (!answer.more) return changed
  }
  throw new Error('The sync does not end.')
}
const uids = async () => (await readRows(harness.inventory)).map((row) => row.uid)
const expected = () =>
  harness.server.inventory
    .map((item) => item.uid)
    .sort()
    .reverse()

describe('the inventory cache', () => {
  it('has every item once, newest first', async () => {
    harness.server.inventory.push(...sampleInventory(1_234))
    expect(await syncAll()).toBe(1_234)
    expect(await uids()).toEqual(expected())
    expect(await wasSynced(harness.inventory)).toBe(true)
  })

  it('reads only changes at the next sync', async () => {
    harness.server.inventory.push(...sampleInventory(500))
    await syncAll()
    const before = reads()
    harness.server.selling.change(harness.server.inventory[300]!, 'withdrawn')
    harness.server.inventory.push(sampleItem(9_001, { created_at: now(), updated_at: now() }))
    expect(await syncAll()).toBe(2)
    expect(reads() - before).toBe(1)
    expect((await harness.inventory.rows.get(harness.server.inventory[300]!.uid))?.state).toBe('withdrawn')
    expect(await uids()).toEqual(expected())
  })

  it('reports zero changes if nothing changed', async () => {
    harness.server.inventory.push(...sampleInventory(50))
    await syncAll()
    expect(await syncAll()).toBe(0)
  })

  it.each([0, 1])('removes items that were deleted elsewhere at the next sync, beside %i new one', async (added) => {
    harness.server.inventory.push(...sampleInventory(250))
    await syncAll()
    harness.server.inventory.splice(100, 50)
    for (let n = 0; n < added; n++)
      harness.server.inventory.push(sampleItem(9_001, { created_at: now(), updated_at: now() }))
    expect(await syncAll()).toBe(50 + added)
    expect(await uids()).toEqual(expected())
    expect(await harness.inventory.items.count()).toBe(200 + added)
    const before = reads()
    expect(await syncAll()).toBe(0)
    expect(reads() - before).toBe(1)
  })

  it('reads everything after a day', async () => {
    harness.server.inventory.push(...sampleInventory(250))
    await syncAll()
    const before = reads()
    harness.now.value += 25 * 3_600_000
    expect(await syncAll()).toBe(0)
    expect(reads() - before).toBe(3)
  })

  it('resumes at the same page after a failure', async () => {
    harness.server.inventory.push(...sampleInventory(2_050))
    expect((await sync(harness.context)).more).toBe(true)
    await harness.restart()
    harness.server.faults.push({ operation: 'listInventory', code: 'network', times: 1 })
    expect((await sync(harness.context)).trouble).toMatchObject({ code: 'offline' })
    expect((await readRows(harness.inventory)).length).toBe(1_000)
    await syncAll()
    expect(await uids()).toEqual(expected())
    // 21 pages and the failed one.
    expect(reads()).toBe(22)
  })

  it('finds items that changed during a long pass', async () => {
    harness.server.inventory.push(...sampleInventory(1_500).map((item) => ({ ...item, updated_at: now() })))
    await sync(harness.context)
    const newest = [...harness.server.inventory].sort((one, other) => (one.uid < other.uid ? 1 : -1))[0]!
    harness.server.selling.change(newest, 'withdrawn')
    // An hour later, by both clocks, the pass continues and an item changes.
    harness.now.value += 3_600_000
    const last = [...harness.server.inventory].sort((one, other) => (one.uid < other.uid ? -1 : 1))[0]!
    last.updated_at = new Date(Date.now() + 3_600_000).toISOString()
    await syncAll()
    await syncAll()
    expect((await harness.inventory.rows.get(newest.uid))?.state).toBe('withdrawn')
  })

  it('is deleted at sign-out', async () => {
    harness.server.inventory.push(...sampleInventory(30))
    await syncAll()
    await popupHandlers(harness.context)['popup.signOut']({})
    for (const table of harness.inventory.tables) expect(await table.count(), table.name).toBe(0)
  })

  it('stops when the key is rejected', async () => {
    harness.server.keys.clear()
    expect((await sync(harness.context)).trouble).toMatchObject({ code: 'unauthenticated' })
    expect((await sync(harness.context)).trouble).toBeNull()
    expect(reads()).toBe(1)
  })

  it('is recreated if a newer version made it', async () => {
    const name = 'left-behind'
    const newer = new InventoryCache(name)
    newer.version(99).stores({ rows: 'uid, pass', items: 'uid', sync: 'key', more: '' })
    await newer.open()
    newer.close()
    const inventory = await openInventoryCache(name)
    expect(await inventory.rows.count()).toBe(0)
    await inventory.delete()
  })
})

describe('concurrent syncs', () => {
  it('read every page once', async () => {
    harness.server.inventory.push(...sampleInventory(450))
    await Promise.all([syncAll(), syncAll(), syncAll()])
    expect(await uids()).toEqual(expected())
    const cursors = harness.server.requests
      .filter((request) => request.operation === 'listInventory' && !request.path.includes('updated_since'))
      .map((request) => request.path)
    expect(new Set(cursors).size).toBe(cursors.length)
  })

  it('catch up after seven days offline', async () => {
    harness.server.inventory.push(...sampleInventory(150))
    await syncAll()
    harness.now.value += 7 * 86_400_000
    const [gone, changed] = harness.server.inventory.splice(0, 1).concat(harness.server.inventory[0]!)
    harness.server.selling.change(changed!, 'sold')
    harness.server.inventory.push(sampleItem(9_000))
    await syncAll()
    expect(await uids()).toEqual(expected())
    expect(await harness.inventory.rows.get(gone!.uid)).toBeUndefined()
    expect((await harness.inventory.rows.get(changed!.uid))?.state).toBe('sold')
  })
})

describe('a single item', () => {
  it('is cached offline and removed once deleted', async () => {
    harness.server.inventory.push(...sampleInventory(3))
    await syncAll()
    const { uid } = harness.server.inventory[1]!
    const ask = () => popupHandlers(harness.context)['inventory.item']({ uid })
    expect(await ask()).toMatchObject({ item: { uid }, history: [], trouble: null })
    harness.server.faults.push({ operation: 'getInventoryItem', code: 'network', times: 1 })
    expect(await ask()).toMatchObject({ item: { uid }, history: null, trouble: { code: 'offline' } })
    harness.server.inventory.splice(1, 1)
    await expect(ask()).rejects.toMatchObject({ code: 'not_found' })
    expect(await harness.inventory.rows.get(uid)).toBeUndefined()
  })
})

describe('an edited item', () => {
  it('is in the cache at once, and unchanged after a conflict', async () => {
    harness.server.inventory.push(sampleItem(0))
    await syncAll()
    const [{ uid, version } = sampleItem(0)] = harness.server.inventory
    const change = (title: string) =>
      popupHandlers(harness.context)['inventory.change']({ uid, change: { version, title } })
    expect(await change('Renamed')).toMatchObject({ version: version + 1 })
    expect((await harness.inventory.rows.get(uid))?.title).toBe('Renamed')
    await expect(change('Too late')).rejects.toMatchObject({ code: 'stale_version' })
    expect((await harness.inventory.rows.get(uid))?.title).toBe('Renamed')
  })

  it('is deleted once, also when the first answer was lost', async () => {
    harness.server.inventory.push(sampleItem(3, { listings: [] }))
    await syncAll()
    const [uid] = await uidsOnServer()
    harness.server.faults.push({ operation: 'deleteInventoryItem', code: 'lost_reply', times: 1 })
    const remove = () => popupHandlers(harness.context)['inventory.delete']({ uid: uid! })
    await expect(remove()).rejects.toThrow()
    expect(await remove()).toBeNull()
    expect(await harness.inventory.rows.get(uid!)).toBeUndefined()
  })
})

describe('bulk actions', () => {
  it('create one job when a lost answer is retried', async () => {
    harness.server.inventory.push(...sampleInventory(4))
    harness.server.faults.push({ operation: 'bulkList', code: 'lost_reply', times: 1 })
    const request = {
      body: { uids: await uidsOnServer(), platforms: ['ebay'] },
      headers: { 'idempotency-key': crypto.randomUUID() },
    }
    const { call } = popupHandlers(harness.context)
    const press = () => call({ operation: 'bulkList', request })
    await expect(press()).rejects.toThrow()
    const { uid } = (await press()) as { uid: string }
    expect(harness.server.selling.bulkJobs).toHaveLength(1)
    expect(await call({ operation: 'getBulkJob', request: { params: { uid } } })).toMatchObject({ count: 4 })
  })

  it('accept an item that is already sold', async () => {
    harness.server.inventory.push(sampleItem(0))
    const [uid] = await uidsOnServer()
    harness.server.faults.push({ operation: 'markItemSold', code: 'lost_reply', times: 1 })
    const mark = () => popupHandlers(harness.context)['inventory.markSold']({ uid: uid! })
    await expect(mark()).rejects.toThrow()
    expect(await mark()).toMatchObject({ uid, state: 'sold' })
  })
})

const uidsOnServer = async () => harness.server.inventory.map((item) => item.uid)
const now = () => new Date().toISOString()
