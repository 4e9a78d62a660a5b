import { problem } from '#server/infra/errors.ts'

/** For so long the answers of one run give way, in milliseconds: they are not to wait for ever where others never end. */
const mostAsideMs = 50

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Joins calls that arrive together into one run: what arrives in the same turn of the event loop, and what arrives
 * while `concurrency` runs are under way, goes together in the next. `run` answers in the order of its items. An error
 * of a run is every item's. Where `maxWaiting` wait for a run, the next is told so at once: 503.
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: BatchOptions<Item> = {},
): Batched<Item, Result> {
  const { concurrency = 2, maxItems = 500, maxWaiting = 1_000, spareMs = () => 0, keyOf, maxOfKey = 64 } = options
  const isUrgent = options.isUrgent ?? (() => false)
  // Those who can wait go on one in a turn of the event loop: what cannot, and came meanwhile, is served between them.
  const answersApart = options.spareMs !== undefined
  const giveWay = options.giveWay ?? nextTurn
  const [urgent, others] = [createLine<Item, Result>(), createLine<Item, Result>()]
  let running = 0
  let scheduled = false

  const isAwaited = () => urgent.length() + others.length() > 0

  async function start() {
    scheduled = false
    if (running >= concurrency || !isAwaited()) return
    const keys = new Set<string>()
    const entries = urgent.take(maxItems, keys)
    entries.push(...others.take(maxItems - entries.length, keys))
    running++
    if (isAwaited()) schedule()
    try {
      if (spareMs() > 0) await giveWay()
      const results = await run(entries.map(({ item }) => item))
      const soonMs = performance.now() + mostAsideMs
      for (const [index, entry] of entries.entries()) {
        if (answersApart && index > 0) await (performance.now() < soonMs ? giveWay() : nextTurn())
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

  function schedule() {
    if (scheduled || running >= concurrency || !isAwaited()) return
    scheduled = true
    const delayMs = spareMs()
    if (delayMs > 0) setTimeout(() => void start(), delayMs)
    else setImmediate(() => void start())
  }

  const ask = (item: Item) =>
    new Promise<Result>((resolve, reject) => {
      const key = keyOf?.(item)
      const line = isUrgent(item) ? urgent : others
      if (line.length() >= maxWaiting || line.lengthOf(key) >= maxOfKey)
        throw problem('unavailable', undefined, { retryAfterSeconds: 2, isOneOfMany: true })
      line.push({ item, key, resolve, reject })
      schedule()
    })
  return Object.assign(ask, { isAwaited: (key: string) => urgent.lengthOf(key) + others.lengthOf(key) > 0 })
}

/** Those who wait, in the order in which they came. */
function createLine<Item, Result>() {
  let waiting: Entry<Item, Result>[] = []
  const waitingOf = new Map<string, number>()
  const lengthOf = (key: string | undefined) => (key === undefined ? 0 : (waitingOf.get(key) ?? 0))
  return {
    length: () => waiting.length,
    lengthOf,
    push(entry: Entry<Item, Result>): void {
      waiting.push(entry)
      if (entry.key !== undefined) waitingOf.set(entry.key, lengthOf(entry.key) + 1)
    },
    /** At most so many, and of a key one at most; none of the keys that are given, which those that are taken join. */
    take(max: number, keys: Set<string>): Entry<Item, Result>[] {
      const taken: Entry<Item, Result>[] = []
      waiting = waiting.filter((entry) => {
        const { key } = entry
        if (taken.length >= max || (key !== undefined && keys.has(key))) return true
        taken.push(entry)
        if (key === undefined) return false
        keys.add(key)
        if (lengthOf(key) > 1) waitingOf.set(key, lengthOf(key) - 1)
        else waitingOf.delete(key)
        return false
      })
      return taken
    },
  }
}

export interface Batched<Item, Result> {
  (item: Item): Promise<Result>
  /** Items of the key wait for a run. */
  isAwaited(key: string): boolean
}

export interface BatchOptions<Item> {
  /** Runs under way at once. */
  concurrency?: number
  /** Items of one run, and items that may wait for one. */
  maxItems?: number
  maxWaiting?: number
  /** For how many milliseconds an item can wait for others just now; without, for the rest of the turn. */
  spareMs?: (() => number) | undefined
  /** Who can be spared goes on when this resolves, in a later turn of the event loop; without, in the next. */
  giveWay?: (() => Promise<void>) | undefined
  /**
   * Items of one key never go in one run: the next of them waits for another. At most `maxOfKey` of one wait: they go one a
   * run, and would fill the line for all others.
   */
  keyOf?: (item: Item) => string
  maxOfKey?: number
  /** Who goes before all others, in a line with bounds of its own: they cannot fill it. */
  isUrgent?: (item: Item) => boolean
}

interface Entry<Item, Result> {
  item: Item
  key: string | undefined
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}
