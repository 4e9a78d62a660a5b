import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PopupRequestName, popupRequests } from '#extension/messaging/protocol.ts'
import { privilegedMessage, privilegedRequests, shapelessMessage } from '#extension/testing/forged-messages.ts'
import { buildHarness } from '#extension/testing/harness.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { answer, type Sender } from './answer.ts'
import { pageHandlers } from './page-handlers.ts'
import { popupHandlers } from './popup-handlers.ts'

const own = { id: 'own-id', pages: 'chrome-extension://own-id/' }
const popup: Sender = { id: own.id, url: `${own.pages}popup.html` }
const page: Sender = { id: own.id, url: 'https://poshmark.com/closet/seller', frameId: 0, tab: { id: 1 } }
const refused = { ok: false, error: { code: 'refused_message' } }

async function createHandler() {
  const harness = await buildHarness()
  const handlers = { page: pageHandlers(harness.context), popup: popupHandlers(harness.context) }
  return { harness, ask: (message: unknown, sender: Sender) => answer(message, sender, own, handlers) }
}

const pageContext = buildTab([tabPost(0)]).pageContext

describe('the message handler', () => {
  it('answers the popup and the seller’s page', async () => {
    const { harness, ask } = await createHandler()
    const overview = await ask({ name: 'popup.overview', request: { fresh: false } }, popup)
    expect(overview).toMatchObject({ ok: true, value: { session: { status: 'active' } } })
    const look = await ask({ name: 'page.look', request: { pageContext } }, page)
    expect(look).toMatchObject({ ok: true, value: { show: { kind: 'offer' } } })
    await harness.close()
  })

  it('never sends the API key to the popup', async () => {
    const { harness, ask } = await createHandler()
    const key = [...harness.server.keys.values()][0]!.secret
    for (const fresh of [false, true]) {
      expect(JSON.stringify(await ask({ name: 'popup.overview', request: { fresh } }, popup))).not.toContain(key)
    }
    await harness.close()
  })

  it.each([
    ['a content script with a popup request', 'popup.signOut', page],
    ['another extension', 'popup.overview', { ...popup, id: 'other-id' }],
    ['a web page that claims to be the popup', 'popup.overview', { ...popup, url: 'https://own-id/popup.html' }],
    [
      'an extension whose id has the same prefix',
      'popup.overview',
      { ...popup, url: 'chrome-extension://own-id2/popup.html' },
    ],
    ['a frame inside a page', 'page.look', { ...page, frameId: 3 }],
    ['a page of another site', 'page.look', { ...page, url: 'https://poshmark.com.evil.test/closet/seller' }],
    ['a page without a tab', 'page.look', { ...page, tab: undefined }],
    ['the popup with a page request', 'page.look', popup],
  ])('refuses %s', async (_, name, sender) => {
    const { harness, ask } = await createHandler()
    const request = name === 'page.look' ? { pageContext } : name === 'popup.signOut' ? {} : { fresh: false }
    expect(await ask({ name, request }, sender)).toMatchObject(refused)
    expect(await harness.store.get('session')).toBeTruthy()
    await harness.close()
  })

  it('refuses 10,000 forged messages without effect', async () => {
    const { harness, ask } = await createHandler()
    const task = sampleTask()
    harness.server.tasks.push(task)
    const kept = async () =>
      JSON.stringify([
        await Promise.all((await harness.store.names()).map(harness.store.get)),
        harness.shown,
        harness.asked,
      ])
    const before = await kept()
    // All senders except the extension's own pages.
    const senders = fc.oneof(
      fc.constant(page),
      fc.record({
        id: fc.constantFrom('other-id', ''),
        url: fc.constantFrom(popup.url, page.url),
        frameId: fc.constant(0),
        tab: fc.option(fc.constant({ id: 1 }), { nil: undefined }),
      }),
      fc.record({
        id: fc.constant(own.id),
        url: fc.constantFrom('https://evil.test/', 'https://own-id/popup.html', 'chrome-extension://own-id2/', 'x', ''),
        frameId: fc.integer({ min: 0, max: 2 }),
        tab: fc.option(fc.record({ id: fc.nat() }), { nil: undefined }),
      }),
    )
    const messages = fc.oneof(privilegedMessage(task.uid), shapelessMessage())
    await fc.assert(
      fc.asyncProperty(messages, senders, async (message, sender) => {
        expect(await ask(message, sender)).toMatchObject(refused)
      }),
      { numRuns: 10_000 },
    )
    expect(await kept()).toBe(before)
    expect(harness.server.requests).toEqual([])
    expect(task.status).toBe('open')
    expect(await harness.importQueue.scrapes.count()).toBe(0)
    await harness.close()
  })

  it.each(Object.keys(popupRequests))('refuses %s from a content script', async (name) => {
    const { harness, ask } = await createHandler()
    const request = privilegedRequests(sampleTask().uid)[name as PopupRequestName]
    expect(await ask({ name, request }, page)).toMatchObject(refused)
    // The same request from the popup is accepted, so the rejection is not due to its shape.
    expect(await ask({ name, request }, popup)).not.toMatchObject(refused)
    await harness.close()
  })

  it('answers a bug with an error', async () => {
    const { harness, ask } = await createHandler()
    harness.context.importQueue = async () => {
      throw new Error('no database')
    }
    expect(await ask({ name: 'page.look', request: { pageContext } }, page)).toMatchObject({
      ok: false,
      error: { code: 'internal', message: 'no database' },
    })
    await harness.close()
  })
})
