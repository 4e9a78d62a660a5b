import type { JobKind } from './index.ts'

/** A run ends after this many milliseconds; the next one continues. */
const longestMs = 300_000

/**
 * Returns a job that processes due work in steps until a step finds none. `step` returns its count. One job runs at a
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
