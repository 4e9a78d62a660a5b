const maxAnswers = 1_000

export interface AnswerCache {
  /** Returns the answer cached within `maxAgeMs`, or else reads it. An age of 0 always reads. */
  read<Value>(key: string, maxAgeMs: number, read: () => Promise<Value>): Promise<Value>
  /** Returns whether an answer is cached within `maxAgeMs`. */
  has(key: string, maxAgeMs: number): boolean
}

/**
 * Creates a cache of platforms' answers, for work that asks the same for many items. Concurrent callers share one call.
 * Errors are not cached.
 */
export function createAnswerCache(clock: () => number = () => performance.now()): AnswerCache {
  const answers = new Map<string, { at: number; value: Promise<unknown> }>()

  function findFresh(key: string, maxAgeMs: number) {
    const answer = answers.get(key)
    return answer && clock() - answer.at < maxAgeMs ? answer : undefined
  }

  return {
    read<Value>(key: string, maxAgeMs: number, read: () => Promise<Value>): Promise<Value> {
      const fresh = findFresh(key, maxAgeMs)
      // Read again on an error: the shared call may have been aborted by its first caller.
      if (fresh) return (fresh.value as Promise<Value>).catch(read)
      const value = read()
      const answer = { at: clock(), value }
      // Move the key to the end, so that the first key is the oldest.
      answers.delete(key)
      answers.set(key, answer)
      value.catch(() => {
        if (answers.get(key) === answer) answers.delete(key)
      })
      if (answers.size > maxAnswers) answers.delete(answers.keys().next().value ?? '')
      return value
    },
    has: (key, maxAgeMs) => findFresh(key, maxAgeMs) !== undefined,
  }
}
