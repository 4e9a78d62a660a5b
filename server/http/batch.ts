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
  const { concurrency = 2, maxItems = 500, maxWaiting = 1_000, spareMs = () => 0, keyOf } = options
  let waiting: Entry<Item, Result>[] = []
  let running = 0
  let scheduled = false

  async function start() {
    scheduled = false
    if (running >= concurrency || waiting.length === 0) return
    const [entries, later] = next(waiting, maxItems, keyOf)
    waiting = later
    running++
    if (waiting.length > 0) schedule()
    try {
      const results = await run(entries.map(({ item }) => item))
      for (const [index, entry] of entries.entries()) entry.resolve(results[index] as Result)
    } catch (error) {
      for (const entry of entries) entry.reject(error)
    } finally {
      running--
      // Those who waited go at once, unless they can be spared: the turn in which they could gather has long passed.
      if (spareMs() > 0) schedule()
      else void start()
    }
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
      if (waiting.length >= maxWaiting)
        throw problem('unavailable', undefined, { retryAfterSeconds: 2, isOneOfMany: true })
      waiting.push({ item, resolve, reject })
      schedule()
    })
}

/** Who goes in the next run, and who does not. */
function next<Item, Result>(
  waiting: Entry<Item, Result>[],
  maxItems: number,
  keyOf: ((item: Item) => string) | undefined,
): [Entry<Item, Result>[], Entry<Item, Result>[]] {
  if (!keyOf) return [waiting.slice(0, maxItems), waiting.slice(maxItems)]
  const keys = new Set<string>()
  const entries: Entry<Item, Result>[] = []
  const later = waiting.filter((entry) => {
    const key = keyOf(entry.item)
    if (entries.length >= maxItems || keys.has(key)) return true
    keys.add(key)
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
  /** Items of one key never go in one run: the next of them waits for another. */
  keyOf?: (item: Item) => string
}

interface Entry<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}
