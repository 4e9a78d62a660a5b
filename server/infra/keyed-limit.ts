import { problem } from './errors.ts'

/**
 * Limits concurrency per key: at most `width` calls of one key run at once, and the others wait for their turn. While
 * `maxWaiting` calls of a key wait, refuses the next with 503.
 */
export function createKeyedLimit(
  width: number,
  maxWaiting = Number.POSITIVE_INFINITY,
): <Result>(key: string, run: () => Promise<Result>) => Promise<Result> {
  const states = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key, run) => {
    const state = states.get(key) ?? { running: 0, waiting: [] }
    if (state.waiting.length >= maxWaiting) throw problem('unavailable', undefined, { retryAfterSeconds: 2 })
    states.set(key, state)
    if (state.running >= width) await new Promise<void>((resolve) => state.waiting.push(resolve))
    else state.running++
    try {
      return await run()
    } finally {
      const next = state.waiting.shift()
      if (next) next()
      else if (--state.running === 0) states.delete(key)
    }
  }
}
