/** Timeout, much longer than any slow machine needs. */
const timeoutMs = 90_000

/**
 * Polls `read` until its value satisfies `isSo`, and returns the value. Throws with the last value after the timeout.
 * Speed is measured by the benchmarks, not by tests.
 */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean = Boolean,
): Promise<Value> {
  const endMs = performance.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    if (performance.now() > endMs) throw new Error(`still not so: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
