import { problem } from '#server/infra/errors.ts'

interface Entry<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Batches calls of one turn of the event loop, and calls that arrive during `concurrency` runs. `run` returns results in the
 * order of its items; an error fails every item. Refuses a call with 503 at once while `maxWaiting` wait. Without batches
 * the server answers a quarter of the requests a second (`e2e/lab/bench/core.bench.ts`).
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { concurrency = 2, maxItems = 500, maxWaiting = 1_000 } = {},
): (item: Item) => Promise<Result> {
  const waiting: Entry<Item, Result>[] = []
  let running = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled || running >= concurrency || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void start()
    })
  }

  async function start() {
    const entries = waiting.splice(0, maxItems)
    running++
    schedule()
    try {
      const results = await run(entries.map(({ item }) => item))
      for (const [index, { resolve }] of entries.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of entries) reject(error)
    } finally {
      running--
      schedule()
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) throw problem('unavailable', undefined, { retryAfterSeconds: 2 })
      waiting.push({ item, resolve, reject })
      schedule()
    })
}
