import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'

/** A hasher with one thread, which stops after `hold` and goes on after `release`. */
export async function heldPasswords(maxWaiting: number) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new URL('./held-hash-worker.ts', import.meta.url)
  const passwords = createPasswordHasher({ threads: 1, maxWaiting, worker, workerData: gate })
  // The thread runs from now on: one password is with it, and `maxWaiting` wait behind.
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
