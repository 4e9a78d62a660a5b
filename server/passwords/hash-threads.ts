import { Worker } from 'node:worker_threads'

export interface HashTask {
  id: number
  password: string
  /** To be verified against; left out to hash. */
  passwordHash?: string
}

export type HashAnswer = { id: number; result: string | boolean } | { id: number; failure: string }

export interface HashThreads {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

interface Pending {
  task: HashTask
  resolve: (result: string | boolean) => void
  reject: (error: Error) => void
}

/**
 * Threads that hash, of a lower priority than the one that answers requests. Not the runtime's own pool: that has one
 * priority, and files and names wait in it too. Started at the first use, and no reason for the process to stay alive.
 */
export function createHashThreads(count: number): HashThreads {
  const idle: Worker[] = []
  const waiting: Pending[] = []
  const running = new Map<Worker, Pending>()
  let lastId = 0

  function start(): Worker {
    const worker = new Worker(new URL('./hash-thread.ts', import.meta.url))
    worker.unref()
    worker.on('message', (answer: HashAnswer) => {
      const pending = running.get(worker)
      running.delete(worker)
      idle.push(worker)
      if ('failure' in answer) pending?.reject(new Error(answer.failure))
      else pending?.resolve(answer.result)
      next()
    })
    worker.on('error', (error) => {
      // A thread that died fails what it held; the next task starts another.
      const pending = running.get(worker)
      running.delete(worker)
      pending?.reject(error instanceof Error ? error : new Error(String(error)))
      next()
    })
    return worker
  }

  function next(): void {
    if (waiting.length === 0 || running.size >= count) return
    const worker = idle.pop() ?? start()
    const pending = waiting.shift() as Pending
    running.set(worker, pending)
    worker.postMessage(pending.task)
  }

  function run(task: Omit<HashTask, 'id'>): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      waiting.push({ task: { id: ++lastId, ...task }, resolve, reject })
      next()
    })
  }

  return {
    hash: async (password) => String(await run({ password })),
    verify: async (passwordHash, password) => (await run({ password, passwordHash })) === true,
  }
}
