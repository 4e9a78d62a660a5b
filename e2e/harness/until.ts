/** Timeout, much longer than any slow machine needs. */
const timeoutMs = 180_000

/** Pauses between polls in ms. They grow with the time that has passed, since a read may cost as much as a request. */
const [shortestPauseMs, longestPauseMs, pausesPerWait] = [10, 200, 20]

/**
 * Polls `read` until its value satisfies `isSo`, and returns the value. Throws with the last value after the timeout.
 * Speed is measured by the benchmarks, not by tests.
 */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean = Boolean,
): Promise<Value> {
  const startMs = performance.now()
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    const waitedMs = performance.now() - startMs
    if (waitedMs > timeoutMs) throw new Error(`still not so: ${JSON.stringify(value)}`)
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs / pausesPerWait))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
