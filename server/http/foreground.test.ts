import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { problem } from '#server/infra/errors.ts'
import { createLog } from '#server/infra/log/log.ts'
import { route } from '#shared/contract/route.ts'
import { createForeground, type Foreground } from './foreground.ts'
import { keepNothing } from './idempotency.ts'
import { mountContract } from './mount.ts'
import { unlimited } from './rate-limit.ts'
import { trace } from './trace.ts'

let nowMs = 0
let foreground: Foreground
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  foreground = createForeground(() => nowMs)
})
afterEach(() => vi.useRealTimers())

/** Some turns of the event loop: enough for whatever waits for no timer. */
async function turns() {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Whether something that gives way from now on has gone on. */
function givesWay() {
  const state = { hasGoneOn: false }
  void foreground.giveWay().then(() => (state.hasGoneOn = true))
  return state
}

describe('who gives way', () => {
  it('goes on in the next turn where nobody is being answered', async () => {
    foreground.begin()()
    const spared = givesWay()
    await Promise.resolve()
    expect(spared.hasGoneOn).toBe(false)
    await new Promise((resolve) => setImmediate(resolve))
    expect(spared.hasGoneOn).toBe(true)
  })

  it('waits until all are answered, those too that came meanwhile', async () => {
    const [first, second] = [foreground.begin(), foreground.begin()]
    const spared = [givesWay(), givesWay()]
    await turns()
    const third = foreground.begin()
    for (const answered of [first, second]) answered()
    await turns()
    expect(spared).toEqual([{ hasGoneOn: false }, { hasGoneOn: false }])
    third()
    third()
    await turns()
    expect(spared).toEqual([{ hasGoneOn: true }, { hasGoneOn: true }])
  })

  it('waits for a few milliseconds at most, and not at all for what has taken long', async () => {
    foreground.begin()
    const spared = givesWay()
    await turns()
    vi.advanceTimersByTime(5)
    await turns()
    expect(spared.hasGoneOn).toBe(false)
    vi.advanceTimersByTime(1)
    await turns()
    expect(spared.hasGoneOn).toBe(true)
    nowMs += 20
    const later = givesWay()
    await turns()
    expect(later.hasGoneOn).toBe(true)
  })
})

it('requests give way to are those that issue no token, from their coming to their answer, a refusal too', async () => {
  const declared = (path: string, issuesToken: boolean) =>
    route({
      ...{ summary: 'For a test', section: '0', tag: 'test', method: 'GET', path, auth: 'none', issuesToken },
      replies: { 200: z.object({ said: z.number() }) },
    })
  let under = 0
  const answered: number[] = []
  const begin = () => {
    under++
    return () => {
      answered.push(under--)
    }
  }
  const say = async () => ({ status: 200 as const, body: { said: under } })
  const refuse = async () => {
    throw problem('conflict', `${under} under way`)
  }
  const routes = mountContract(
    { good: declared('/good/', false), bad: declared('/bad/', false), token: declared('/token/', true) },
    { good: say, bad: refuse, token: say },
    {
      credentials: { findBearer: async () => null, findApiKey: async () => null },
      limits: unlimited,
      idempotency: { once: (_ctx, _call, run) => run(keepNothing) },
      foreground: { begin, giveWay: async () => {} },
    },
  ).routes()
  const app = new Koa().use(trace(createLog('silent'), 0)).use(routes)
  const server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const said = []
  for (const path of ['/good/', '/bad/', '/token/']) {
    const reply = await fetch(url + path)
    const answer = (await reply.json()) as { said?: number; detail?: string }
    said.push([reply.status, answer.said ?? answer.detail])
  }
  server.close()
  expect(said).toEqual([
    [200, 1],
    [409, '1 under way'],
    [200, 0],
  ])
  expect(answered).toEqual([1, 1])
})
