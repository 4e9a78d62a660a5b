import type { JobKind } from './index.ts'

/** One run ends after this time, in milliseconds; the next one continues. */
const longestMs = 300_000

/**
 * Returns a job that takes due work in steps until a step finds none. `step` returns how many it took. One message at a
 * time over all workers.
 */
export function dueWork(
  queue: string,
  step: (signal: AbortSignal) => Promise<number>,
  { everySeconds = 60 } = {},
): JobKind<object> {
  return {
    queue,
    everySeconds,
    concurrency: 1,
    unique: true,
    retryLimit: 2,
    retryDelaySeconds: 10,
    heartbeatSeconds: 20,
    expireInSeconds: 600,
    async run(_payload, signal) {
      const until = performance.now() + longestMs
      while (!signal.aborted && performance.now() < until) if ((await step(signal)) === 0) return
    },
  }
}
