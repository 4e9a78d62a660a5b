import { problem } from '#server/infra/errors.ts'
import { createFairLimit } from '#server/infra/fair-limit.ts'
import { createOwnThread, TooLongError } from '#server/infra/own-thread.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { File } from './read-file.ts'
import type { ReadResult, ReadTask } from './read-worker.ts'

type ReadFile = (task: ReadTask, user_id: number, gone: AbortSignal) => Promise<File>

interface FileReaderOptions {
  /** Longest time for a file in ms, with the time that it waits. */
  timeoutMs?: number
  /** The module that runs on the thread. */
  worker?: URL
}

/** Larger files take more than some 100 ms, one at a time. A thread is left to smaller ones. */
const smallBytes = 1_000_000

/**
 * Returns a function that reads files on low-priority threads, in turns by account: 15 MB take a second, in which the
 * process would answer nobody. Ends the thread when a file takes too long, or when its client has left. Throws 503
 * `unavailable` then.
 */
export function createFileReader({
  timeoutMs = waysIn.csv.giveUpMs,
  worker = new URL('./read-worker.ts', import.meta.url),
}: FileReaderOptions = {}): ReadFile {
  const { all } = waysIn.csv.atOnce
  const inTurn = createFairLimit({ width: all, costlyWidth: all - 1 })
  // A file of 15 MB needs a third of the heap.
  const read = createOwnThread<ReadTask, ReadResult>({
    ...{ worker, timeoutMs, threads: all, maxWaiting: all, heapMb: 512 },
    ...{ isLowPriority: true, idleMs: 30_000 },
  })
  return async (task, user_id, gone) => {
    const { length } = task.bytes
    const late = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([gone, late])
    const turn = { expectedMs: length / 10_000, signal }
    const result = await inTurn(String(user_id), length > smallBytes, () => read(task, signal), turn).catch(
      (cause: unknown) => {
        gone.throwIfAborted()
        const detail =
          late.aborted || cause instanceof TooLongError
            ? 'Reading this file took too long. Send it again in a few minutes, or split it into smaller files.'
            : 'This file cannot be read right now. Send it again in a few minutes.'
        throw problem('unavailable', detail, { retryAfterSeconds: 60, cause })
      },
    )
    if ('file' in result) return result.file
    throw problem(result.refusal.code, result.refusal.detail, result.refusal)
  }
}
