import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'

/** A task that its thread did not finish in time. */
export class TooLongError extends Error {
  override name = 'TooLongError'
}

interface ThreadOptions {
  /** The module whose default export runs on the thread. */
  worker: URL
  /** Longest time of a task in ms, with the time that it waits. */
  timeoutMs: number
  /** Tasks at once, each on a thread of its own, and tasks that may wait. */
  threads: number
  maxWaiting: number
  /** Most megabytes of objects of a thread. */
  heapMb: number
  /** Others go before. Not for work that a seller's sale waits for. */
  isLowPriority: boolean
  /** A thread ends after this time in ms without a task. The next one needs half a second to start. */
  idleMs: number
}

/**
 * Returns a function that runs tasks on threads of their own, for work of strangers that would take more than 20 ms of the
 * main thread. Ends the thread of a task that takes too long, with TooLongError, or that the abort of `gone` ends.
 */
export function createOwnThread<Task, Result>(options: ThreadOptions) {
  const { worker, timeoutMs, threads, maxWaiting, heapMb, isLowPriority, idleMs } = options
  const pool = new Piscina<Task, Result>({
    filename: fileURLToPath(worker),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    maxQueue: maxWaiting,
    // Only Linux has a priority for each thread. Elsewhere this would slow down the whole process.
    niceIncrement: isLowPriority && process.platform === 'linux' ? 10 : 0,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    recordTiming: false,
  })
  return (task: Task, gone?: AbortSignal): Promise<Result> => {
    const late = AbortSignal.timeout(timeoutMs)
    return pool.run(task, { signal: gone ? AbortSignal.any([gone, late]) : late }).catch((cause: unknown) => {
      gone?.throwIfAborted()
      throw late.aborted ? new TooLongError('the task takes too long', { cause }) : cause
    })
  }
}
