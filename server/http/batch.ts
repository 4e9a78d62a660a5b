import { problem } from './errors.ts'

/**
 * Joins calls that arrive together into one run: what arrives in the same turn of the event loop, and what arrives
 * while `concurrency` runs are under way, goes together in the next. `run` answers in the order of its items. An error
 * of a run is every item's. Where `maxWaiting` wait for a run, the next is told so at once: 503 (faults F10).
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: BatchOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const { concurrency = 2, maxItems = 500, maxWaiting = 1_000, spareMs = () => 0, keyOf, maxOfKey = 64 } = options
  // Those who can wait go on one in a turn of the event loop: what cannot, and came meanwhile, is served between them.
  const answersApart = options.spareMs !== undefined
  let waiting: Entry<Item, Result>[] = []
  const waitingOf = new Map<string, number>()
  let running = 0
  let scheduled = false

  async function start() {
    scheduled = false
    if (running >= concurrency || waiting.length === 0) return
    const [entries, later] = next(waiting, maxItems)
    waiting = later
    for (const { key } of entries) if (key !== undefined) leave(key)
    running++
    if (waiting.length > 0) schedule()
    try {
      const results = await run(entries.map(({ item }) => item))
      for (const [index, entry] of entries.entries()) {
        if (answersApart && index > 0) await new Promise((resolve) => setImmediate(resolve))
        entry.resolve(results[index] as Result)
      }
    } catch (error) {
      for (const entry of entries) entry.reject(error)
    } finally {
      running--
      // Those who waited go at once, unless they can be spared: the turn in which they could gather has long passed.
      if (spareMs() > 0) schedule()
      else void start()
    }
  }

  function leave(key: string) {
    const others = (waitingOf.get(key) ?? 1) - 1
    if (others > 0) waitingOf.set(key, others)
    else waitingOf.delete(key)
  }

  function schedule() {
    if (scheduled || running >= concurrency || waiting.length === 0) return
    scheduled = true
    const delayMs = spareMs()
    if (delayMs > 0) setTimeout(() => void start(), delayMs)
    else setImmediate(() => void start())
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const key = keyOf?.(item)
      const ofKey = key === undefined ? 0 : (waitingOf.get(key) ?? 0)
      if (waiting.length >= maxWaiting || ofKey >= maxOfKey)
        throw problem('unavailable', undefined, { retryAfterSeconds: 2, isOneOfMany: true })
      if (key !== undefined) waitingOf.set(key, ofKey + 1)
      waiting.push({ item, key, resolve, reject })
      schedule()
    })
}

/** Who goes in the next run, and who does not. */
function next<Item, Result>(
  waiting: Entry<Item, Result>[],
  maxItems: number,
): [Entry<Item, Result>[], Entry<Item, Result>[]] {
  const keys = new Set<string>()
  const entries: Entry<Item, Result>[] = []
  const later = waiting.filter((entry) => {
    if (entries.length >= maxItems || (entry.key !== undefined && keys.has(entry.key))) return true
    if (entry.key !== undefined) keys.add(entry.key)
    entries.push(entry)
    return false
  })
  return [entries, later]
}

export interface BatchOptions<Item> {
  /** Runs under way at once. */
  concurrency?: number
  /** Items of one run, and items that may wait for one. */
  maxItems?: number
  maxWaiting?: number
  /** For how many milliseconds an item can wait for others just now; without, for the rest of the turn. */
  spareMs?: (() => number) | undefined
  /**
   * Items of one key never go in one run: the next of them waits for another. At most `maxOfKey` of one wait: they go one a
   * run, and would fill the line for all others.
   */
  keyOf?: (item: Item) => string
  maxOfKey?: number
}

interface Entry<Item, Result> {
  item: Item
  key: string | undefined
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}
