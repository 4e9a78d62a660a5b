import { describe, expect, it } from 'vitest'
import { batched } from './batch.ts'

describe('batched calls', () => {
  it('are refused at once when the queue is full', async () => {
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
