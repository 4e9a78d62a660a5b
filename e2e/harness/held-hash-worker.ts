import { workerData } from 'node:worker_threads'
import type { HashTask } from '#server/accounts/passwords/hash-worker.ts'

/** Returns a fake hash, once the gate is open. */
export default function run({ password, passwordHash }: HashTask): string | boolean {
  Atomics.wait(workerData as Int32Array, 0, 1)
  return passwordHash === undefined ? `cheap:${password}` : passwordHash === `cheap:${password}`
}
