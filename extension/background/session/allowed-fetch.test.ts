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
  // A request to a forbidden host fails like a network error, as in the browser.
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

describe('a revoked host permission', () => {
  it('is reported as such and keeps the last data', async () => {
    harness.server.ebay = 'connected'
    const before = await overview()
    allowed = false
    expect(await overview()).toMatchObject({ trouble: { code: 'permission' }, as_of: before.as_of })
    expect(asked[0]).toBe('https://hapax.test')
    allowed = true
    expect((await overview()).trouble).toBeNull()
  })

  it('keeps queued data until access returns', async () => {
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

  it('is not reported for server or network errors', async () => {
    await overview()
    harness.server.faults.push({ operation: 'listImportJobs', code: 'unavailable', times: 1 })
    expect((await overview()).trouble).toMatchObject({ code: 'unavailable' })
    expect(asked).toEqual([])
    harness.server.faults.push({ operation: 'listImportJobs', code: 'network', times: 1 })
    expect((await overview()).trouble).toMatchObject({ code: 'offline' })
  })

  it('does not delay signing out', async () => {
    allowed = false
    expect(await popupHandlers(harness.context)['popup.signOut']({})).toEqual({ keyEnded: false })
    expect(await harness.store.names()).toEqual([])
  })
})
