import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, buildBench } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { watch } from '../tasks/watch.ts'
import { allowedFetch } from './allowed-fetch.ts'

let bench: Bench
const asked: string[] = []
let allowed = true
beforeEach(async () => {
  bench = await buildBench()
  asked.length = 0
  allowed = true
  const { fetch } = bench.server
  // As the browser does: a request to a host that it lets nobody reach fails like one without a network.
  const reached = async (url: string, init: RequestInit) => {
    if (!allowed) throw new TypeError('Failed to fetch')
    return fetch(url, init)
  }
  const mayReach = async (server: string) => {
    asked.push(server)
    return allowed
  }
  Object.assign(bench.server, { fetch: allowedFetch(reached, mayReach) })
})
afterEach(() => bench.close())

const overview = () => popupHandlers(bench.context)['popup.overview']({ fresh: true })

describe('access to the server that the browser no longer gives', () => {
  it('is told as such, and not as a network that fails; what was known stays', async () => {
    bench.server.ebay = 'connected'
    const before = await overview()
    allowed = false
    expect(await overview()).toMatchObject({ trouble: { code: 'permission' }, as_of: before.as_of })
    expect(asked[0]).toBe('https://hapax.test')
    allowed = true
    expect((await overview()).trouble).toBeNull()
  })

  it('loses nothing that waits: it is sent when the access is back', async () => {
    const tab = buildTab([tabPost(0)])
    const page = pageHandlers(bench.context)
    allowed = false
    await tab.readOn(page, await page['page.import']({ clues: tab.clues }, tab.page))
    expect(await bench.push()).toMatchObject({ kind: 'later' })
    await watch(bench.context)
    allowed = true
    expect(await bench.push()).toEqual({ kind: 'done' })
    expect(bench.server.inventory).toHaveLength(1)
  })

  it('is not suspected when the server answers, whatever it answers, and not when there is no network', async () => {
    await overview()
    bench.server.faults.push({ operation: 'listImportJobs', code: 'unavailable', times: 1 })
    expect((await overview()).trouble).toMatchObject({ code: 'unavailable' })
    expect(asked).toEqual([])
    bench.server.faults.push({ operation: 'listImportJobs', code: 'network', times: 1 })
    expect((await overview()).trouble).toMatchObject({ code: 'offline' })
  })

  it('delays no signing out', async () => {
    allowed = false
    expect(await popupHandlers(bench.context)['popup.signOut']({})).toEqual({ keyEnded: false })
    expect(await bench.store.names()).toEqual([])
  })
})
