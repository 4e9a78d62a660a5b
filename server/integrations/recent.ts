/** Maximum number of cached answers. */
const mostKept = 1_000

export interface Recent {
  /** Returns the answer cached within `maxAgeMs`, or reads it; 0 always reads. */
  <Value>(key: string, maxAgeMs: number, read: () => Promise<Value>): Promise<Value>
  /** Returns whether an answer is cached within `maxAgeMs`. */
  has(key: string, maxAgeMs: number): boolean
}

/**
 * Creates a cache of platforms' answers, for work that asks the same for many items. Concurrent callers share one call.
 * Errors are not cached.
 */
export function createRecent(clock: () => number = () => performance.now()): Recent {
  const kept = new Map<string, { at: number; value: Promise<unknown> }>()
  const fresh = (key: string, maxAgeMs: number) => {
    const known = kept.get(key)
    return known && clock() - known.at < maxAgeMs ? known : undefined
  }
  const recent = <Value>(key: string, maxAgeMs: number, read: () => Promise<Value>): Promise<Value> => {
    const known = fresh(key, maxAgeMs)
    // Read again on an error: the shared call may have been aborted by its first caller.
    if (known) return (known.value as Promise<Value>).catch(read)
    const value = read()
    const one = { at: clock(), value }
    kept.delete(key)
    kept.set(key, one)
    value.catch(() => {
      if (kept.get(key) === one) kept.delete(key)
    })
    // Evict the oldest; a key that was read again is newest.
    if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '')
    return value
  }
  return Object.assign(recent, { has: (key: string, maxAgeMs: number) => fresh(key, maxAgeMs) !== undefined })
}
