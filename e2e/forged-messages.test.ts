import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { privilegedMessage, shapelessMessage } from '#extension/testing/forged-messages.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { closePopup, type Fixture, inContentScript, inWorker, named, prepareFixtures, signIn } from './fixture.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.closeAll)

const closet = 'https://poshmark.com/closet/samplecloset'
const count = 10_000

/** Returns everything that a forged message could change: browser storage, tabs, and the server's requests and data. */
async function effects(fixture: Fixture) {
  const { server } = fixture.hapax
  return {
    kept: await inWorker(fixture, 'chrome.storage.local.get().then(JSON.stringify)'),
    tabs: fixture.chrome.context.targets().filter((target) => target.type() === 'page').length,
    asked: server.requests.filter(({ method }) => method !== 'GET').map(({ operation }) => operation),
    tasks: server.tasks.map(({ status }) => status),
    keys: server.keys.size,
  }
}

async function start() {
  const fixture = await fixtures.start({ listings: 3 })
  const popup = await signIn(fixture)
  const task = sampleTask()
  fixture.hapax.server.tasks.push(task)
  await popup.reload()
  await popup.waitForSelector('::-p-text(Take it down on Depop)')
  // Open pages and the worker's periodic work must not count as effects.
  await closePopup(fixture, popup)
  await inWorker(fixture, '(() => { const now = Date.now(); Date.now = () => now; return chrome.alarms.clearAll() })()')
  const page = await fixture.chrome.newPage()
  await page.goto(closet)
  await page.waitForSelector(named('button', 'Import 3 listings'))
  const messages = fc.sample(fc.oneof(privilegedMessage(task.uid), shapelessMessage()), { numRuns: count, seed: 97 })
  return { fixture, page, task, messages: JSON.stringify(messages) }
}

describe('10,000 forged messages', () => {
  it('of a hijacked content script are refused without effect', async () => {
    const { fixture, page, task, messages } = await start()
    const before = await effects(fixture)
    const codes = await inContentScript(
      fixture,
      page,
      `(async () => {
        const codes = {}
        const all = ${messages}
        for (let first = 0; first < all.length; first += 50) {
          const answers = await Promise.all(all.slice(first, first + 50).map((one) => chrome.runtime.sendMessage(one)))
          for (const one of answers) {
            const code = one?.ok === false ? one.error.code : 'taken'
            codes[code] = (codes[code] ?? 0) + 1
          }
        }
        return JSON.stringify(codes)
      })()`,
    )
    expect(JSON.parse(codes)).toEqual({ refused_message: count })
    // No task is done in this tab, so none follows.
    const next = JSON.stringify({ name: 'page.next', request: { task: task.uid } })
    const answer = await inContentScript(fixture, page, `chrome.runtime.sendMessage(${next}).then(JSON.stringify)`)
    expect(JSON.parse(answer)).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await effects(fixture)).toEqual(before)
  })

  it('of the page itself never reach the extension', async () => {
    const { fixture, page, messages } = await start()
    const before = await effects(fixture)
    const ways = await page.evaluate(
      (all: unknown[], id) => {
        const { runtime } = Reflect.get(globalThis, 'chrome') ?? {}
        for (const one of all) {
          postMessage(one, '*')
          document.dispatchEvent(new CustomEvent('message', { detail: one }))
        }
        return [typeof runtime?.sendMessage, typeof runtime?.connect, typeof runtime?.id, id]
      },
      JSON.parse(messages) as unknown[],
      fixture.chrome.extensionId,
    )
    expect(ways.slice(0, 3)).toEqual(['undefined', 'undefined', 'undefined'])
    // After everything that was posted.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)))
    await page.waitForSelector(named('button', 'Import 3 listings'))
    expect(await effects(fixture)).toEqual(before)
  })
})
