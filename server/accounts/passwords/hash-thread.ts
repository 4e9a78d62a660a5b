import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashAnswer, HashTask } from './hash-threads.ts'

/** argon2id (the library's default) with OWASP's first choice: 19 MiB, 2 passes, 1 lane (decisions 4). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// On Linux a thread has a priority of its own: requests that need no hash come first whenever both want the processor.
// Elsewhere this would slow the whole process down.
if (process.platform === 'linux') setPriority(0, 10)

parentPort?.on('message', ({ password, passwordHash }: HashTask) => {
  let answer: HashAnswer
  try {
    answer = { result: passwordHash === undefined ? hashSync(password, cost) : verifySync(passwordHash, password) }
  } catch (error) {
    // The library's message names what is wrong with a stored hash, never the password.
    answer = { failure: error instanceof Error ? error.message : 'hashing failed' }
  }
  parentPort?.postMessage(answer)
})
