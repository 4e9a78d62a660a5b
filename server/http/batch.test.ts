import { describe, expect, it, vi } from 'vitest'
import { until } from '#server/testing/until.ts'
import { type BatchOptions, batched } from './batch.ts'

describe('calls that wait to go together', () => {
  it('are so many at most: the next is told at once, and those who wait are answered when it goes on', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const double = batched<number, number>((items) => gate.then(() => items.map((item) => item * 2)), {
      concurrency: 1,
      maxItems: 2,
      maxWaiting: 5,
    })
    const run = [double(1), double(2)]
    // They are on their way when the turn is over; then five may wait.
    await new Promise((resolve) => setImmediate(resolve))
    const waiting = [3, 4, 5, 6, 7].map(double)
    await expect(double(8)).rejects.toMatchObject({ code: 'unavailable', status: 503 })
    open()
    expect(await Promise.all([...run, ...waiting])).toEqual([2, 4, 6, 8, 10, 12, 14])
    expect(await double(9)).toBe(18)
  })
})

describe('calls that are joined', () => {
  /** Says what went together. */
  function recorder() {
    const runs: string[][] = []
    const run = async (items: string[]) => {
      runs.push(items)
      return items.map((item) => item.toUpperCase())
    }
    return { runs, run }
  }

  it('never go with another of their key, and each is answered', async () => {
    const { runs, run } = recorder()
    const ask = batched(run, { keyOf: (item) => item.slice(0, 1) })
    expect(await Promise.all(['a1', 'b1', 'a2', 'a3', 'c1', 'b2'].map(ask))).toEqual([
      ...['A1', 'B1', 'A2', 'A3', 'C1', 'B2'],
    ])
    expect(runs[0]).toEqual(['a1', 'b1', 'c1'])
    for (const items of runs) expect(new Set(items.map((item) => item[0])).size).toBe(items.length)
  })

  it('of one key are so many at most: those of others find room beside them', async () => {
    const { runs, run } = recorder()
    const ask = batched(run, { keyOf: (item) => item.slice(0, 1), maxOfKey: 3, maxWaiting: 10 })
    const outcomes = await Promise.allSettled(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2'].map(ask))
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code))).toEqual([
      ...['A1', 'A2', 'A3', 'unavailable', 'unavailable', 'B1', 'B2'],
    ])
    expect(runs[0]).toEqual(['a1', 'b1'])
    expect(await Promise.all(['a6', 'a7', 'a8'].map(ask))).toEqual(['A6', 'A7', 'A8'])
  })

  it('and are urgent go before all others, also of their key, and find room where those have filled theirs', async () => {
    const { runs, run } = recorder()
    const ask = batched(run, {
      concurrency: 1,
      maxItems: 3,
      maxWaiting: 4,
      maxOfKey: 3,
      keyOf: (item) => item.slice(0, 1),
      isUrgent: (item) => item.endsWith('!'),
    })
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'a!', 'c!', 'a!!'].map(ask)
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code))).toEqual([
      ...['A1', 'A2', 'A3', 'unavailable', 'B1', 'unavailable', 'A!', 'C!', 'A!!'],
    ])
    expect(runs).toEqual([['a!', 'c!', 'b1'], ['a!!'], ['a1'], ['a2'], ['a3']])
  })

  it('wait for others as long as they can be spared, and no longer than the turn where they cannot', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const { runs, run } = recorder()
      let spareMs = 20
      const ask = batched(run, { spareMs: () => spareMs })
      const turn = () => new Promise((resolve) => setImmediate(resolve))
      const first = ask('a')
      await turn()
      vi.advanceTimersByTime(19)
      const second = ask('b')
      await turn()
      expect(runs).toEqual([])
      vi.advanceTimersByTime(1)
      expect(await Promise.all([first, second])).toEqual(['A', 'B'])
      expect(runs).toEqual([['a', 'b']])
      spareMs = 0
      expect(await ask('c')).toBe('C')
    } finally {
      vi.useRealTimers()
    }
  })

  it('lets who can wait go on one in a turn of the event loop: what came meanwhile is served between them', async () => {
    const answersAndTurns = async (options: BatchOptions<number>) => {
      const order: string[] = []
      const ask = batched<number, number>(async (items) => items, options)
      let answered = 0
      for (const item of [1, 2, 3]) void ask(item).then(() => order.push(`answer ${++answered}`))
      while (answered < 3) {
        await new Promise((resolve) => setImmediate(resolve))
        order.push('turn')
      }
      return order.join()
    }
    expect(await answersAndTurns({ spareMs: () => 0 })).toMatch(/answer 1(,turn)+,answer 2(,turn)+,answer 3/)
    expect(await answersAndTurns({})).toContain('answer 1,answer 2,answer 3')
  })

  it('let what cannot wait go before a run and between its answers', async () => {
    const { runs, run } = recorder()
    const waiting: (() => void)[] = []
    const answers: string[] = []
    const ask = batched(run, { spareMs: () => 1, giveWay: () => new Promise((resolve) => waiting.push(resolve)) })
    for (const item of ['a', 'b', 'c']) void ask(item).then((answer) => answers.push(answer))
    const seen = []
    for (let step = 0; step < 3; step++) {
      await until(() => waiting.length > 0)
      seen.push([runs.length, answers.join('')])
      waiting.shift()?.()
    }
    await until(() => answers.length === 3)
    expect(seen).toEqual([
      [0, ''],
      [1, 'A'],
      [1, 'AB'],
    ])
  })
})
