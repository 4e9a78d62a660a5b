import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { News } from '#extension/messaging/news.ts'
import { buildHarness, type Harness, signedInTo } from '#extension/testing/harness.ts'
import { readSession, writeSession } from '../session/session.ts'
import { publishNews } from './publish-news.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await harness.close()
})

/** Advances the fake timers by `ms`. */
async function pass(ms = 0): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  harness.now.value += ms
  await vi.advanceTimersByTimeAsync(ms)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function page() {
  const heard: News[] = []
  return { heard, postMessage: (news: News) => void heard.push(news) }
}
const streams = () => harness.server.stream

/** Creates a worker with one listening page, after its initial load. */
async function listening() {
  const publisher = publishNews(harness.context)
  const subscriber = page()
  publisher.join(subscriber)
  await pass(5_000)
  subscriber.heard.length = 0
  return { publisher, subscriber }
}

describe('an open page', () => {
  it('reads everything when the stream opens', async () => {
    const subscriber = page()
    publishNews(harness.context).join(subscriber)
    await pass()
    expect(subscriber.heard).toEqual([
      { live: true, overview: false, inventory: false },
      { live: true, overview: true, inventory: false },
      { live: true, overview: false, inventory: true },
    ])
  })

  it.each([
    ['sale.recorded', true],
    ['item.state_changed', true],
    ['import.completed', false],
    ['connection.lost', false],
    ['task.opened', false],
  ])('receives %s at once', async (type, inventory) => {
    const { subscriber } = await listening()
    streams().publish(type)
    await pass()
    expect(subscriber.heard.some((news) => news.overview)).toBe(true)
    expect(subscriber.heard.some((news) => news.inventory)).toBe(inventory)
  })

  it('receives the end of a listing a second after the sale', async () => {
    const { subscriber } = await listening()
    streams().publish('sale.recorded')
    await pass(1_200)
    streams().publish('listing.delisted')
    await pass(800)
    expect(subscriber.heard.filter((news) => news.inventory)).toHaveLength(2)
  })

  it('receives a few updates for a thousand events', async () => {
    const { subscriber } = await listening()
    for (let n = 0; n < 1_000; n++) {
      streams().publish('item.created')
      await pass(5)
    }
    const counts = () => [
      subscriber.heard.filter((news) => news.overview).length,
      subscriber.heard.filter((news) => news.inventory).length,
    ]
    expect(counts()[0]).toBeLessThan(7)
    expect(counts()[1]).toBeLessThan(4)
    subscriber.heard.length = 0
    streams().publish('item.created')
    await pass(5_000)
    expect(counts()[0]).toBeGreaterThan(0)
    expect(counts()[1]).toBeGreaterThan(0)
  })

  it('keeps the stream open while it is visible', async () => {
    const { publisher, subscriber } = await listening()
    const other = page()
    publisher.join(other)
    publisher.leave(subscriber)
    await pass()
    expect(streams().open).toBe(1)
    publisher.leave(other)
    await pass()
    expect(streams().open).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    await pass(300_000)
    expect(streams().opened).toHaveLength(1)
  })
})

describe('a broken stream', () => {
  it('resumes after the last received event', async () => {
    const { subscriber } = await listening()
    streams().publish('task.opened')
    await pass(2_000)
    streams().breakOff()
    await pass()
    expect(subscriber.heard.at(-1)).toEqual({ live: false, overview: false, inventory: false })
    subscriber.heard.length = 0
    streams().publish('task.finished')
    await pass(2_000)
    expect(streams().opened).toEqual([null, '1'])
    expect(subscriber.heard).toContainEqual({ live: true, overview: true, inventory: false })
  })

  it('resumes in the next worker after a kill', async () => {
    await listening()
    streams().publish('task.opened')
    await pass(2_000)
    streams().breakOff()
    publishNews(harness.context).join(page())
    await pass()
    expect(streams().opened.at(-1)).toBe('1')
    harness.now.value += 3_600_000
    publishNews(harness.context).join(page())
    await pass()
    expect(streams().opened.at(-1)).toBeNull()
  })

  it('is reopened after a silence', async () => {
    await listening()
    await pass(50_000)
    expect(streams().opened).toHaveLength(2)
    expect(streams().open).toBe(1)
  })

  it('is retried with growing delays while the page polls', async () => {
    harness.server.outage = 'hang'
    const subscriber = page()
    publishNews(harness.context).join(subscriber)
    await pass(60_000)
    const tries = harness.server.requests.length
    expect(tries).toBeGreaterThan(1)
    expect(tries).toBeLessThan(7)
    expect(subscriber.heard).toEqual([])
    harness.server.outage = null
    await pass(60_000)
    expect(subscriber.heard.at(-1)?.live).toBe(true)
  })
})

describe('the session', () => {
  it('expires after two rejections of the key', async () => {
    harness.server.keys.clear()
    const subscriber = page()
    publishNews(harness.context).join(subscriber)
    await pass(120_000)
    expect((await readSession(harness.store))?.status).toBe('expired')
    expect(harness.server.requests.filter((request) => request.operation === 'listPlatforms')).toHaveLength(1)
    expect(subscriber.heard).toContainEqual({ live: false, overview: true, inventory: false })
  })

  it('closes the stream at sign-out', async () => {
    const { publisher, subscriber } = await listening()
    streams().publish('task.opened')
    await harness.store.clear()
    publisher.restart()
    await pass(5_000)
    expect(streams().open).toBe(0)
    expect(subscriber.heard).toContainEqual({ live: false, overview: true, inventory: true })
    expect(await harness.store.get('heard')).toBeUndefined()
    await writeSession(harness.store, signedInTo(harness.server))
    publisher.restart()
    await pass()
    expect(streams().opened).toEqual([null, null])
  })
})
