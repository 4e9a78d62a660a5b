import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { afterEach, describe, expect, it } from 'vitest'
import { type CachedListing, type ImportQueue, openImportQueue } from '#extension/storage/import-queue/database.ts'
import { openOnDemand } from '#extension/storage/open-on-demand.ts'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { wireError } from '../wire-error.ts'

let harness: Harness
afterEach(() => harness?.close())

/** Makes writes fail while `full` is set. */
function limitRoom(importQueue: ImportQueue, room: { full: boolean }): void {
  importQueue.use({
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

describe('a failing database', () => {
  it('resumes without loss once the disk has room', async () => {
    harness = await buildHarness()
    const room = { full: false }
    limitRoom(harness.importQueue, room)
    const tab = buildTab(Array.from({ length: 130 }, (_, n) => tabPost(n)))
    const handlers = pageHandlers(harness.context)
    const first = await handlers['page.import']({ pageContext: tab.pageContext }, tab.page)
    const { scrape_id, step, request } = first.task!
    const answer = { pageContext: tab.pageContext, scrape_id, step, answer: tab.fetch(request) }
    room.full = true
    const error = await handlers['page.answer'](answer, tab.page).catch(wireError)
    expect(error).toMatchObject({ code: 'no_room' })
    expect([await harness.importQueue.listings.count(), await harness.importQueue.outbox.count()]).toEqual([0, 0])
    room.full = false
    await tab.readOn(handlers, await handlers['page.look']({ pageContext: tab.pageContext }, tab.page))
    await harness.push()
    expect(harness.server.inventory).toHaveLength(130)
  })

  it('is recreated if a newer version made it', async () => {
    const newer = new Dexie('faults-newer')
    newer.version(9).stores({ listings: 'other' })
    await newer.open()
    newer.close()
    const importQueue = await openImportQueue('faults-newer')
    await importQueue.seen.put({ key: 'run:1', scrape_id: 'scrape' })
    await importQueue.listings.bulkPut([{ ...({} as CachedListing), key: 'poshmark:1' }])
    expect(await importQueue.listings.count()).toBe(1)
    await importQueue.delete()
  })

  it('is reopened after it was closed or deleted', async () => {
    const open = openOnDemand(() => openImportQueue('faults-closed'))
    const first = await open()
    // Close it as the browser does, without our request.
    const backend = first.backendDB()
    backend.close()
    backend.onclose?.call(backend, new Event('close'))
    const second = await open()
    expect(await second.listings.count()).toBe(0)
    await Dexie.delete('faults-closed')
    const third = await open()
    expect(await third.scrapes.count()).toBe(0)
    await third.delete()
  })

  it('is opened again at the next use after an error', async () => {
    let tries = 0
    const open = openOnDemand(async () => {
      if (++tries === 1) throw new Error('not now')
      return openImportQueue('faults-tried')
    })
    await expect(open()).rejects.toThrow('not now')
    await (await open()).delete()
  })
})
