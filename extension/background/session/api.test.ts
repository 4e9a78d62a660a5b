import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signedInTo } from '#extension/testing/harness.ts'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import { listPlatforms } from '#shared/contract/connections.ts'
import { clientOf, ServerUnreachable } from './api.ts'

let server: StandInServer
beforeEach(() => {
  vi.useFakeTimers()
  server = new StandInServer()
})
afterEach(() => vi.useRealTimers())

/** Returns a call's result after this many seconds without an answer. */
async function timeout(seconds: number, call: Promise<unknown>): Promise<unknown> {
  let result: unknown = 'waiting'
  call.then(
    () => (result = 'answered'),
    (error: unknown) => (result = error),
  )
  await vi.advanceTimersByTimeAsync(seconds * 1_000)
  return result
}

describe('a server', () => {
  it.each([
    ['never answers', 'hang'],
    ['never finishes its answer', 'stall'],
  ] as const)('that %s counts as unreachable after ten seconds', async (_, outage) => {
    server.outage = outage
    const call = clientOf(signedInTo(server), server.fetch)(listPlatforms, {})
    expect(await timeout(9, call)).toBe('waiting')
    expect(await timeout(2, call)).toBeInstanceOf(ServerUnreachable)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that answers in time leaves no timer', async () => {
    await clientOf(signedInTo(server), server.fetch)(listPlatforms, {})
    expect(vi.getTimerCount()).toBe(0)
  })

  it('of another origin never gets a request', async () => {
    const elsewhere = { ...signedInTo(server), server: 'https://hapax.test' }
    const seen: string[] = []
    const spy = async (url: string, init: RequestInit) => {
      seen.push(url)
      return server.fetch(url, init)
    }
    const odd = { ...listPlatforms, path: '.evil.test/' }
    await expect(clientOf(elsewhere, spy)(odd, {})).rejects.toThrow('another host')
    expect(seen).toEqual([])
  })
})
