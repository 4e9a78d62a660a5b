import { problem } from '#server/infra/errors.ts'
import { createOwnThread, TooLongError } from '#server/infra/own-thread.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { File } from './read-file.ts'
import type { ReadResult, ReadTask } from './read-worker.ts'

type ReadFile = (task: ReadTask, gone: AbortSignal) => Promise<File>

interface FileReaderOptions {
  /** Longest time for a file in ms, with the time that it waits. */
  timeoutMs?: number
  /** The module that runs on the thread. */
  worker?: URL
}

/**
 * Returns a function that reads files on a low-priority thread of its own, one at a time: 15 MB take a second, in which
 * the process would answer nobody. Ends the thread when a file takes too long, or when its client has left. Throws 503
 * `unavailable` then, or when too many files wait.
 */
export function createFileReader({
  timeoutMs = waysIn.csv.giveUpMs,
  worker = new URL('./read-worker.ts', import.meta.url),
}: FileReaderOptions = {}): ReadFile {
  const { all } = waysIn.csv.atOnce
  // A file of 15 MB needs a third of the heap.
  const read = createOwnThread<ReadTask, ReadResult>({
    ...{ worker, timeoutMs, threads: 1, maxWaiting: all - 1, heapMb: 512 },
    ...{ isLowPriority: true, idleMs: 30_000 },
  })
  return async (task, gone) => {
    const result = await read(task, gone).catch((cause: unknown) => {
      gone.throwIfAborted()
      const detail =
        cause instanceof TooLongError
          ? 'Reading this file took too long. Send it again in a few minutes, or split it into smaller files.'
          : 'This file cannot be read right now. Send it again in a few minutes.'
      throw problem('unavailable', detail, { retryAfterSeconds: 60, cause })
    })
    if ('file' in result) return result.file
    const { code, detail, errors, members } = result.refusal
    throw problem(code, detail, { errors, members })
  }
}
