import { Worker } from 'node:worker_threads'

export interface HashTask {
  password: string
  /** To be verified against; left out to hash. */
  passwordHash?: string
}

export type HashAnswer = { result: string | boolean } | { failure: string }

export interface HashThreads {
  /** `width`: on how many threads just now. */
  hash(password: string, width: number): Promise<string>
  verify(passwordHash: string, password: string, width: number): Promise<boolean>
}

interface Pending {
  resolve: (result: string | boolean) => void
  reject: (error: Error) => void
}

interface HashThread {
  worker: Worker
  /** What it was given and has not answered, the oldest first: it does one after the other. */
  held: Pending[]
}

/**
 * Threads that hash, of a lower priority than the one that answers requests. Not the runtime's own pool: that has one
 * priority, and files and names wait in it too. Started when they are first needed, and no reason for the process to stay
 * alive. A thread that has something to do is given more, so that it goes on without waiting for the event loop: how much
 * that may be is the caller's to bound.
 */
export function createHashThreads(count: number): HashThreads {
  const threads: HashThread[] = []

  function start(): HashThread {
    const thread: HashThread = { worker: new Worker(new URL('./hash-thread.ts', import.meta.url)), held: [] }
    threads.push(thread)
    thread.worker.unref()
    thread.worker.on('message', (answer: HashAnswer) => {
      const pending = thread.held.shift()
      if ('failure' in answer) pending?.reject(new Error(answer.failure))
      else pending?.resolve(answer.result)
    })
    thread.worker.on('error', (error) => {
      // A thread that died fails what it held; the next task starts another.
      threads.splice(threads.indexOf(thread), 1)
      const reason = error instanceof Error ? error : new Error(String(error))
      for (const pending of thread.held) pending.reject(reason)
    })
    return thread
  }

  function leastBusy(width: number): HashThread {
    const usable = threads.slice(0, width)
    const least = usable.reduce<HashThread | null>(
      (best, one) => (best && best.held.length <= one.held.length ? best : one),
      null,
    )
    return least && (least.held.length === 0 || usable.length === width) ? least : start()
  }

  function run(task: HashTask, width: number): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      const thread = leastBusy(Math.min(width, count))
      thread.held.push({ resolve, reject })
      thread.worker.postMessage(task)
    })
  }

  return {
    hash: async (password, width) => String(await run({ password }, width)),
    verify: async (passwordHash, password, width) => (await run({ password, passwordHash }, width)) === true,
  }
}
