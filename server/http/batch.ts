import { problem } from './errors.ts'

/**
 * Joins calls that arrive together into one run: what arrives in the same turn of the event loop, and what arrives
 * while `concurrency` runs are under way, goes together in the next. `run` answers in the order of its items. An error
 * of a run is every item's. Where `maxWaiting` wait for a run, the next is told so at once: 503 (faults F10).
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: { concurrency?: number; maxItems?: number; maxWaiting?: number } = {},
): (item: Item) => Promise<Result> {
  const { concurrency = 2, maxItems = 500, maxWaiting = 1_000 } = options
  let waiting: Entry<Item, Result>[] = []
  let running = 0
  let scheduled = false

  async function start() {
    scheduled = false
    if (running >= concurrency || waiting.length === 0) return
    const entries = waiting.slice(0, maxItems)
    waiting = waiting.slice(maxItems)
    running++
    if (waiting.length > 0) schedule()
    try {
      const results = await run(entries.map(({ item }) => item))
      for (const [index, entry] of entries.entries()) entry.resolve(results[index] as Result)
    } catch (error) {
      for (const entry of entries) entry.reject(error)
    } finally {
      running--
      // Those who waited go at once: the turn in which they could gather has long passed.
      void start()
    }
  }

  function schedule() {
    if (scheduled || running >= concurrency) return
    scheduled = true
    setImmediate(() => void start())
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) throw problem('unavailable', undefined, { retryAfterSeconds: 2 })
      waiting.push({ item, resolve, reject })
      schedule()
    })
}

interface Entry<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}
