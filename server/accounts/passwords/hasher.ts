import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { problem } from '#server/infra/errors.ts'
import { createHashQueue, type HashPriority, withPriority } from './hash-queue.ts'
import type { HashTask } from './hash-worker.ts'

export interface PasswordHasher {
  /** Returns the password as a PHC string with its own salt. Throws `unavailable` when the queue is full. */
  hash(password: string, priority?: HashPriority): Promise<string>
  /**
   * Returns whether the password has this hash. A null hash (no such account, or no password) is false after the same
   * time. Throws `unavailable` when the queue is full.
   */
  verify(passwordHash: string | null, password: string, priority?: HashPriority): Promise<boolean>
  /** True when passwords of unknown clients are refused. */
  isFull(): boolean
}

interface HasherOptions {
  threads?: number
  /** The passwords that may wait, of known and of unknown clients each. */
  maxWaiting?: number
  /** The module that runs on each thread, with its data. */
  worker?: URL
  workerData?: unknown
}

/**
 * Hashes passwords on low-priority threads that leave one processor to other requests. A flood of sign-ins then doubles the
 * p99 of `validate`; with a thread on every processor it triples (`e2e/lab/bench/sign-in.bench.ts`). The queue is
 * bounded, so a flood costs bounded memory and gets 503 at once. Known clients have places of their own in it and go
 * first.
 */
export function createPasswordHasher({
  threads = Math.max(1, availableParallelism() - 1),
  maxWaiting = 64,
  worker = new URL('./hash-worker.ts', import.meta.url),
  workerData,
}: HasherOptions = {}): PasswordHasher {
  const queue = createHashQueue()
  const pool = new Piscina<HashTask, string | boolean>({
    filename: fileURLToPath(worker),
    workerData,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    taskQueue: queue,
    maxQueue: 2 * maxWaiting,
    // Return a task that no thread could take to the head of the queue.
    stricterFIFO: true,
    // Only Linux has a priority for each thread. Elsewhere this would slow down the whole process.
    niceIncrement: process.platform === 'linux' ? 10 : 0,
    recordTiming: false,
  })

  async function run(task: HashTask, priority: HashPriority): Promise<string | boolean> {
    if (queue.waiting[priority].length >= maxWaiting) {
      throw problem('unavailable', 'Too many people are signing in right now. Try again in a moment.', {
        retryAfterSeconds: 2,
      })
    }
    return pool.run(withPriority(task, priority))
  }

  return {
    hash: async (password, priority = 'unknown') => String(await run({ password }, priority)),
    async verify(passwordHash, password, priority = 'unknown') {
      const isSame = await run({ password, passwordHash: passwordHash ?? dummyHash }, priority)
      return isSame === true && passwordHash !== null
    },
    isFull: () => queue.waiting.unknown.length >= maxWaiting,
  }
}

/** A valid hash that matches nothing, so unknown accounts cost the same time. */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$PHWRqbsZF1eYfKMhqTzjmg$k8DQf3mKZJ7guUjVGu8teNtQ/aa2zYOjUnIxSFHuRfk'
