/** Most answers that are remembered at once. */
const mostKept = 1_000

export interface Recent {
  /** Gives what was read under this key within `maxAgeMs`, or reads it; 0 always reads. */
  <Value>(key: string, maxAgeMs: number, read: () => Promise<Value>): Promise<Value>
  /** Returns whether that would be given without reading. */
  has(key: string, maxAgeMs: number): boolean
}

/**
 * Remembers what platforms told a moment ago, for work that asks the same for each of many things: calls are few. Those who
 * ask at the same time share one call. What failed is not remembered.
 */
export function createRecent(clock: () => number = () => performance.now()): Recent {
  const kept = new Map<string, { at: number; value: Promise<unknown> }>()
  const fresh = (key: string, maxAgeMs: number) => {
    const known = kept.get(key)
    return known && clock() - known.at < maxAgeMs ? known : undefined
  }
  const recent = <Value>(key: string, maxAgeMs: number, read: () => Promise<Value>): Promise<Value> => {
    const known = fresh(key, maxAgeMs)
    // Whoever shares a call does not share its end: another's may have been aborted.
    if (known) return (known.value as Promise<Value>).catch(read)
    const value = read()
    const one = { at: clock(), value }
    kept.delete(key)
    kept.set(key, one)
    value.catch(() => {
      if (kept.get(key) === one) kept.delete(key)
    })
    // The oldest go first: a key that is read again stands last.
    if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '')
    return value
  }
  return Object.assign(recent, { has: (key: string, maxAgeMs: number) => fresh(key, maxAgeMs) !== undefined })
}
