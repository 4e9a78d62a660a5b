/** Milliseconds in which half of what a key has used is forgotten. */
const halfLifeMs = 60_000
/** Keys remembered before those that used next to nothing are dropped. */
const maxKeys = 1_000

interface Waiting {
  key: string
  isCostly: boolean
  expectedMs: number
  start: () => void
}

interface RunOptions {
  /** Expected milliseconds of the run. */
  expectedMs?: number
  /** Ends the wait, with its reason. */
  signal?: AbortSignal
}

interface FairLimitOptions {
  /** Runs at once over all keys. */
  width: number
  /** Of these, runs that are expected to take long. The others are left to short ones. */
  costlyWidth: number
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

/**
 * Limits concurrency over all keys, fairly: each key has one run at a time, and the next turn goes to the key that will
 * have used the least time lately after it. However much one key asks for, another waits for a run or two.
 */
export function createFairLimit({ width, costlyWidth, now = () => performance.now() }: FairLimitOptions) {
  const used = new Map<string, { ms: number; atMs: number }>()
  const running = new Map<string, boolean>()
  const waiting: Waiting[] = []

  const usedBy = (key: string) => {
    const { ms, atMs } = used.get(key) ?? { ms: 0, atMs: 0 }
    return ms === 0 ? 0 : ms / 2 ** ((now() - atMs) / halfLifeMs)
  }

  function startNext(): void {
    while (running.size < width) {
      const costly = [...running.values()].filter(Boolean).length
      const ready = waiting.filter((one) => !running.has(one.key) && !(one.isCostly && costly >= costlyWidth))
      if (ready.length === 0) return
      const usedAfter = ({ key, expectedMs }: Waiting) => usedBy(key) + expectedMs
      const next = ready.reduce((best, one) => (usedAfter(one) < usedAfter(best) ? one : best))
      waiting.splice(waiting.indexOf(next), 1)
      running.set(next.key, next.isCostly)
      next.start()
    }
  }

  function forgetIdle(): void {
    if (used.size <= maxKeys) return
    for (const key of used.keys()) if (usedBy(key) < 1) used.delete(key)
  }

  /** Runs `work` when it is the key's turn. */
  return async <Result>(
    key: string,
    isCostly: boolean,
    work: () => Promise<Result>,
    { expectedMs = 0, signal }: RunOptions = {},
  ): Promise<Result> => {
    signal?.throwIfAborted()
    await new Promise<void>((start, reject) => {
      const place = { key, isCostly, expectedMs, start }
      waiting.push(place)
      signal?.addEventListener('abort', () => {
        // A run that has started is not waiting any more.
        if (waiting.includes(place)) waiting.splice(waiting.indexOf(place), 1)
        reject(signal.reason)
      })
      startNext()
    })
    const startedMs = now()
    try {
      return await work()
    } finally {
      used.set(key, { ms: usedBy(key) + now() - startedMs, atMs: now() })
      forgetIdle()
      running.delete(key)
      startNext()
    }
  }
}
