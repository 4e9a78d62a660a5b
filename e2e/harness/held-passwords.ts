import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'

/** Creates a hasher with one thread, which `hold` pauses and `release` resumes. */
export async function heldPasswords(maxWaiting: number) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new URL('./held-hash-worker.ts', import.meta.url)
  const passwords = createPasswordHasher({ threads: 1, maxWaiting, worker, workerData: gate })
  // The thread is running now, so it takes one password while `maxWaiting` others wait.
  await passwords.hash('started')
  return {
    passwords,
    hold: () => void Atomics.store(gate, 0, 1),
    release() {
      Atomics.store(gate, 0, 0)
      Atomics.notify(gate, 0)
    },
  }
}
