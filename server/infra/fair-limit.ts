/** Milliseconds in which half of what a key has used is forgotten. */
const halfLifeMs = 60_000
/** Keys remembered before those that used next to nothing are dropped. */
const maxKeys = 1_000

interface Waiting {
  key: string
  isCostly: boolean
  start: () => void
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
 * Limits concurrency over all keys, fairly: each key has one run at a time, and the next turn goes to the key that used
 * the least time lately. However much one key asks for, another waits for a run or two.
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
      const next = ready.reduce((best, one) => (usedBy(one.key) < usedBy(best.key) ? one : best))
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
  return async <Result>(key: string, isCostly: boolean, work: () => Promise<Result>): Promise<Result> => {
    await new Promise<void>((start) => {
      waiting.push({ key, isCostly, start })
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
