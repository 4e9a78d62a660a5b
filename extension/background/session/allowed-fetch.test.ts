import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { watch } from '../tasks/watch.ts'
import { allowedFetch } from './allowed-fetch.ts'

let harness: Harness
const asked: string[] = []
let allowed = true
beforeEach(async () => {
  harness = await buildHarness()
  asked.length = 0
  allowed = true
  const { fetch } = harness.server
  // As the browser does: a request to a host that it lets nobody reach fails like one without a network.
  const reached = async (url: string, init: RequestInit) => {
    if (!allowed) throw new TypeError('Failed to fetch')
    return fetch(url, init)
  }
  const mayReach = async (server: string) => {
    asked.push(server)
    return allowed
  }
  Object.assign(harness.server, { fetch: allowedFetch(reached, mayReach) })
})
afterEach(() => harness.close())

const overview = () => popupHandlers(harness.context)['popup.overview']({ fresh: true })

describe('access to the server that the browser no longer gives', () => {
  it('is told as such, and not as a network that fails; what was known stays', async () => {
    harness.server.ebay = 'connected'
    const before = await overview()
    allowed = false
    expect(await overview()).toMatchObject({ trouble: { code: 'permission' }, as_of: before.as_of })
    expect(asked[0]).toBe('https://hapax.test')
    allowed = true
    expect((await overview()).trouble).toBeNull()
  })

  it('loses nothing that waits: it is sent when the access is back', async () => {
    const tab = buildTab([tabPost(0)])
    const page = pageHandlers(harness.context)
    allowed = false
    await tab.readOn(page, await page['page.import']({ pageContext: tab.pageContext }, tab.page))
    expect(await harness.push()).toMatchObject({ kind: 'later' })
    await watch(harness.context)
    allowed = true
    expect(await harness.push()).toEqual({ kind: 'done' })
    expect(harness.server.inventory).toHaveLength(1)
  })

  it('is not suspected when the server answers, whatever it answers, and not when there is no network', async () => {
    await overview()
    harness.server.faults.push({ operation: 'listImportJobs', code: 'unavailable', times: 1 })
    expect((await overview()).trouble).toMatchObject({ code: 'unavailable' })
    expect(asked).toEqual([])
    harness.server.faults.push({ operation: 'listImportJobs', code: 'network', times: 1 })
    expect((await overview()).trouble).toMatchObject({ code: 'offline' })
  })

  it('delays no signing out', async () => {
    allowed = false
    expect(await popupHandlers(harness.context)['popup.signOut']({})).toEqual({ keyEnded: false })
    expect(await harness.store.names()).toEqual([])
  })
})
