/** Long beyond any machine's slowness: what waits this long never comes. */
const givenUpMs = 90_000

/**
 * Reads until it is so, and gives what was read; throws with the last reading when it never is. How quickly it comes is
 * for the benchmarks, not for a test.
 */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean = Boolean,
): Promise<Value> {
  const endMs = performance.now() + givenUpMs
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    if (performance.now() > endMs) throw new Error(`still not so: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
