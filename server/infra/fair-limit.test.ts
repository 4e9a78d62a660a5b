import { describe, expect, it } from 'vitest'
import { createFairLimit } from './fair-limit.ts'

/** A limit with a clock that only the test moves, and runs that end on request. */
function stage(width: number, costlyWidth: number) {
  let clock = 1_000
  const inTurn = createFairLimit({ width, costlyWidth, now: () => clock })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  /** Asks for runs, each named by its key and a number. */
  const ask = async (names: string[], isCostly = false) => {
    for (const name of names) {
      void inTurn(name[0]!, isCostly, async () => {
        started.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
      })
    }
    await settle()
  }
  const end = async (name: string, afterMs = 0) => {
    clock += afterMs
    ends.get(name)!()
    await settle()
  }
  const pass = (ms: number) => {
    clock += ms
  }
  return { ask, end, pass, started, inTurn }
}

describe('a fair limit', () => {
  it('runs one of a key at a time, and as many keys as are allowed', async () => {
    const { ask, started } = stage(2, 2)
    await ask(['a1', 'a2', 'b1', 'c1'])
    expect(started).toEqual(['a1', 'b1'])
  })

  it('gives the next turn to the key that used the least time', async () => {
    const { ask, end, started } = stage(1, 1)
    await ask(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
    await end('a1', 500)
    await end('b1', 200)
    await end('c1', 300)
    await end('b2', 10)
    expect(started).toEqual(['a1', 'b1', 'c1', 'b2', 'a2'])
  })

  it('forgets with time what a key used', async () => {
    const { ask, end, pass, started } = stage(1, 1)
    await ask(['a1'])
    await end('a1', 5_000)
    pass(3_600_000)
    await ask(['b1'])
    await end('b1', 100)
    await ask(['c1', 'b2', 'a2'])
    await end('c1')
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2'])
  })

  it('leaves a slot to quick runs', async () => {
    const { ask, end, started } = stage(2, 1)
    await ask(['a1', 'b1', 'c1'], true)
    await ask(['d1'])
    expect(started).toEqual(['a1', 'd1'])
    await end('d1')
    expect(started).toEqual(['a1', 'd1'])
    await end('a1')
    expect(started).toEqual(['a1', 'd1', 'b1'])
  })

  it('gives a short run of an account the turn before long ones', async () => {
    const { ask, end, started, inTurn } = stage(1, 1)
    await ask(['a1'], true)
    const run = (name: string, expectedMs: number) =>
      inTurn(name, true, async () => void started.push(name), { expectedMs })
    const runs = [run('b', 4_000), run('c', 1_000), run('d', 2_000)]
    await end('a1')
    await Promise.all(runs)
    expect(started).toEqual(['a1', 'c', 'd', 'b'])
  })

  it('ends a wait by its signal, and starts its run no more', async () => {
    const { ask, end, started, inTurn } = stage(1, 1)
    const leaving = new AbortController()
    await ask(['a1'])
    const left = inTurn('b', false, async () => started.push('b1'), { signal: leaving.signal })
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await end('a1')
    expect(started).toEqual(['a1'])
    await expect(inTurn('c', false, async () => 'next')).resolves.toBe('next')
  })

  it('goes on after a run that throws', async () => {
    const { inTurn } = stage(1, 1)
    await expect(inTurn('a', false, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await inTurn('a', true, async () => 'next')).toBe('next')
  })
})
