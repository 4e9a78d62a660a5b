import { problem } from './errors.ts'

/**
 * At most `width` runs at once for one key; others of the key wait in line. For work that is counted beforehand and
 * given back afterwards: honest parallel calls then never look like many failures; and for what one account asks for often
 * at once, so that it leaves connections to others. Where `maxWaiting` of a key wait, the next is 503 at once.
 */
export function createLanes(
  width: number,
  maxWaiting = Number.POSITIVE_INFINITY,
): <Result>(key: string, run: () => Promise<Result>) => Promise<Result> {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key, run) => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] }
    if (lane.waiting.length >= maxWaiting)
      throw problem('unavailable', undefined, { retryAfterSeconds: 2, isOneOfMany: true })
    lanes.set(key, lane)
    if (lane.running >= width) await new Promise<void>((resolve) => lane.waiting.push(resolve))
    else lane.running++
    try {
      return await run()
    } finally {
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) lanes.delete(key)
    }
  }
}
