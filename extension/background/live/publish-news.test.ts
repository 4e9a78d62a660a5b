import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { News } from '#extension/messaging/news.ts'
import { type Bench, buildBench, signedInTo } from '#extension/testing/harness.ts'
import { readSession, writeSession } from '../session/session.ts'
import { tellPages } from './publish-news.ts'

let bench: Bench
beforeEach(async () => {
  bench = await buildBench()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await bench.close()
})

/** Lets everything happen that happens within so many milliseconds. */
async function pass(ms = 0): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  bench.now.value += ms
  await vi.advanceTimersByTimeAsync(ms)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function page() {
  const heard: News[] = []
  return { heard, postMessage: (news: News) => void heard.push(news) }
}
const streams = () => bench.server.stream

/** A worker with one page that listens, past its first reading of everything. */
async function listening() {
  const telling = tellPages(bench.context)
  const line = page()
  telling.join(line)
  await pass(5_000)
  line.heard.length = 0
  return { telling, line }
}

describe('an open page', () => {
  it('is told to read everything when the stream opens: what came before it is not told by it', async () => {
    const line = page()
    tellPages(bench.context).join(line)
    await pass()
    expect(line.heard).toEqual([
      { live: true, overview: false, stock: false },
      { live: true, overview: true, stock: false },
      { live: true, overview: false, stock: true },
    ])
  })

  it.each([
    ['sale.recorded', true],
    ['item.state_changed', true],
    ['import.completed', false],
    ['connection.lost', false],
    ['task.opened', false],
  ])('hears of %s at once', async (type, stock) => {
    const { line } = await listening()
    streams().tell(type)
    await pass()
    expect(line.heard.some((news) => news.overview)).toBe(true)
    expect(line.heard.some((news) => news.stock)).toBe(stock)
  })

  it('hears of a thousand events a few times, and of the last one', async () => {
    const { line } = await listening()
    for (let n = 0; n < 1_000; n++) {
      streams().tell('item.created')
      await pass(5)
    }
    const told = () => [
      line.heard.filter((news) => news.overview).length,
      line.heard.filter((news) => news.stock).length,
    ]
    expect(told()[0]).toBeLessThan(7)
    expect(told()[1]).toBeLessThan(4)
    line.heard.length = 0
    streams().tell('item.created')
    await pass(5_000)
    expect(told()[0]).toBeGreaterThan(0)
    expect(told()[1]).toBeGreaterThan(0)
  })

  it('keeps the stream open, and nothing else does: the worker may sleep when the last page is gone', async () => {
    const { telling, line } = await listening()
    const other = page()
    telling.join(other)
    telling.leave(line)
    await pass()
    expect(streams().open).toBe(1)
    telling.leave(other)
    await pass()
    expect(streams().open).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    await pass(300_000)
    expect(streams().opened).toHaveLength(1)
  })
})

describe('a stream that breaks', () => {
  it('goes on after the last event that was heard: none is missed', async () => {
    const { line } = await listening()
    streams().tell('task.opened')
    await pass(2_000)
    streams().breakOff()
    await pass()
    expect(line.heard.at(-1)).toEqual({ live: false, overview: false, stock: false })
    line.heard.length = 0
    streams().tell('task.finished')
    await pass(2_000)
    expect(streams().opened).toEqual([null, '1'])
    expect(line.heard).toContainEqual({ live: true, overview: true, stock: false })
  })

  it('goes on there in the next worker too, when the last one was killed a short while ago', async () => {
    await listening()
    streams().tell('task.opened')
    await pass(2_000)
    streams().breakOff()
    tellPages(bench.context).join(page())
    await pass()
    expect(streams().opened.at(-1)).toBe('1')
    bench.now.value += 3_600_000
    tellPages(bench.context).join(page())
    await pass()
    expect(streams().opened.at(-1)).toBeNull()
  })

  it('and one that has fallen silent is opened again', async () => {
    await listening()
    await pass(50_000)
    expect(streams().opened).toHaveLength(2)
    expect(streams().open).toBe(1)
  })

  it('or does not come about is tried again, less and less often, and the page asks by itself meanwhile', async () => {
    bench.server.mood = 'hang'
    const line = page()
    tellPages(bench.context).join(line)
    await pass(60_000)
    const tries = bench.server.requests.length
    expect(tries).toBeGreaterThan(1)
    expect(tries).toBeLessThan(7)
    expect(line.heard).toEqual([])
    bench.server.mood = null
    await pass(60_000)
    expect(line.heard.at(-1)?.live).toBe(true)
  })
})

describe('who is signed in', () => {
  it('a key that the server refuses twice ends the session and the trying, and the page is told', async () => {
    bench.server.keys.clear()
    const line = page()
    tellPages(bench.context).join(line)
    await pass(120_000)
    expect((await readSession(bench.store))?.status).toBe('expired')
    expect(bench.server.requests.filter((request) => request.operation === 'listPlatforms')).toHaveLength(1)
    expect(line.heard).toContainEqual({ live: false, overview: true, stock: false })
  })

  it('signed out, the stream ends, pages are told, and nothing that was heard is kept', async () => {
    const { telling, line } = await listening()
    streams().tell('task.opened')
    await bench.store.clear()
    telling.restart()
    await pass(5_000)
    expect(streams().open).toBe(0)
    expect(line.heard).toContainEqual({ live: false, overview: true, stock: true })
    expect(await bench.store.get('heard')).toBeUndefined()
    await writeSession(bench.store, signedInTo(bench.server))
    telling.restart()
    await pass()
    expect(streams().opened).toEqual([null, null])
  })
})
