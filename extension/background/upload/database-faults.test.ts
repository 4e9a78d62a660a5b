import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { afterEach, describe, expect, it } from 'vitest'
import { type Cache, type CachedListing, openCache } from '#extension/storage/import-queue/database.ts'
import { keepOpen } from '#extension/storage/keep-open.ts'
import { type Bench, buildBench } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { wireError } from '../wire-error.ts'

let bench: Bench
afterEach(() => bench?.close())

/** While `full`, the browser has no room for another byte. */
function limitRoom(cache: Cache, room: { full: boolean }): void {
  cache.use({
    stack: 'dbcore',
    name: 'room',
    create: (core) => ({
      ...core,
      table(name) {
        const table = core.table(name)
        return {
          ...table,
          mutate: (request) =>
            room.full && request.type === 'put'
              ? Promise.reject(new Dexie.QuotaExceededError('no room'))
              : table.mutate(request),
        }
      },
    }),
  })
}

describe('a cache that the browser lets down', () => {
  it('without room for more, what was read is not lost and not half kept: it goes on when there is room', async () => {
    bench = await buildBench()
    const room = { full: false }
    limitRoom(bench.cache, room)
    const tab = buildTab(Array.from({ length: 130 }, (_, n) => tabPost(n)))
    const handlers = pageHandlers(bench.context)
    const first = await handlers['page.import']({ clues: tab.clues }, tab.page)
    const { run_id, step, request } = first.task!
    const answer = { clues: tab.clues, run_id, step, answer: tab.fetch(request) }
    room.full = true
    const error = await handlers['page.answer'](answer, tab.page).catch(wireError)
    expect(error).toMatchObject({ code: 'no_room' })
    expect([await bench.cache.listings.count(), await bench.cache.outbox.count()]).toEqual([0, 0])
    room.full = false
    await tab.readOn(handlers, await handlers['page.look']({ clues: tab.clues }, tab.page))
    await bench.push()
    expect(bench.server.inventory).toHaveLength(130)
  })

  it('that was left behind by a newer version is made anew', async () => {
    const newer = new Dexie('faults-newer')
    newer.version(9).stores({ listings: 'other' })
    await newer.open()
    newer.close()
    const cache = await openCache('faults-newer')
    await cache.seen.put({ key: 'run:1', run_id: 'run' })
    await cache.listings.bulkPut([{ ...({} as CachedListing), key: 'poshmark:1' }])
    expect(await cache.listings.count()).toBe(1)
    await cache.delete()
  })

  it('whose connection was closed, or that was thrown away, is opened again at the next use', async () => {
    const open = keepOpen(() => openCache('faults-closed'))
    const first = await open()
    // As the browser does it, without our asking.
    const backend = first.backendDB()
    backend.close()
    backend.onclose?.call(backend, new Event('close'))
    const second = await open()
    expect(await second.listings.count()).toBe(0)
    await Dexie.delete('faults-closed')
    const third = await open()
    expect(await third.runs.count()).toBe(0)
    await third.delete()
  })

  it('that cannot be opened is tried again at the next use', async () => {
    let tries = 0
    const open = keepOpen(async () => {
      if (++tries === 1) throw new Error('not now')
      return openCache('faults-tried')
    })
    await expect(open()).rejects.toThrow('not now')
    await (await open()).delete()
  })
})
