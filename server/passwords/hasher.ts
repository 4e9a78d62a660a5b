import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { problem } from '#server/http/errors.ts'

/** argon2id (the library's default) with OWASP's first choice: 19 MiB, 2 passes, 1 lane (decisions 4). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export interface PasswordHasher {
  /** The password as a PHC string with a salt of its own. Throws `unavailable` when too many wait. */
  hash(password: string): Promise<string>
  /**
   * Whether the password is the one that was hashed. A null hash (no such account, or none set) costs the same time
   * and is always false.
   */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

/**
 * Hashing off the event loop: at most `concurrency` at once (each holds 19 MiB), at most `maxWaiting` behind them;
 * more is 503 at once, so that a flood costs bounded memory and nobody waits for long (threats T39).
 */
export function createPasswordHasher(options: { concurrency?: number; maxWaiting?: number } = {}): PasswordHasher {
  const concurrency = options.concurrency ?? Math.max(1, availableParallelism())
  const maxWaiting = options.maxWaiting ?? 64
  const waiting: (() => void)[] = []
  let running = 0
  // Of a password that nobody can send: it is longer than any that is let in.
  const dummy = hash('x'.repeat(2000), cost)
  dummy.catch(() => undefined)

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) {
        throw problem('unavailable', 'Too many people are signing in right now. Try again in a moment.', {
          retryAfterSeconds: 2,
        })
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    verify: (passwordHash, password) =>
      inTurn(async () => {
        const same = await verify(passwordHash ?? (await dummy), password)
        return same && passwordHash !== null
      }),
  }
}
