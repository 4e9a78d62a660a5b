import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { problem } from '#server/http/errors.ts'
import { createSuspicion, type Suspect } from './suspicion.ts'

/** argon2id (the library's default) with OWASP's first choice: 19 MiB, 2 passes, 1 lane (decisions 4). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export interface PasswordHasher {
  /** The password as a PHC string with a salt of its own. Throws `unavailable` when too many wait. */
  hash(password: string, suspect?: Suspect): Promise<string>
  /**
   * Whether the password is the one that was hashed. A null hash (no such account, or none set) costs the same time
   * and is always false. Throws `unavailable` when too many wait that are likelier to be honest.
   */
  verify(passwordHash: string | null, password: string, suspect?: Suspect): Promise<boolean>
}

interface Waiting {
  rank: number
  start: () => void
  refuse: () => void
}

/**
 * Hashing off the event loop: at most `concurrency` at once (each holds 19 MiB), at most `maxWaiting` behind them;
 * more is 503 at once, so that a flood costs bounded memory and nobody waits for long (threats T39). Who has failed
 * least comes first, and who has failed most makes room: honest sign-ins go on while others are guessing.
 */
export function createPasswordHasher(options: { concurrency?: number; maxWaiting?: number } = {}): PasswordHasher {
  const concurrency = options.concurrency ?? Math.max(1, availableParallelism())
  const maxWaiting = options.maxWaiting ?? 64
  const suspicion = createSuspicion()
  /** By rank, then by arrival. */
  const waiting: Waiting[] = []
  let running = 0
  // Of a password that nobody can send: it is longer than any that is let in.
  const dummy = hash('x'.repeat(2000), cost)
  dummy.catch(() => undefined)

  function waitForTurn(rank: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = { rank, start: resolve, refuse: () => reject(busy()) }
      const place = waiting.findIndex((other) => other.rank > rank)
      if (place === -1) waiting.push(entry)
      else waiting.splice(place, 0, entry)
      if (waiting.length > maxWaiting) waiting.pop()?.refuse()
    })
  }

  async function inTurn<Result>(suspect: Suspect | undefined, work: () => Promise<Result>): Promise<Result> {
    if (running >= concurrency) await waitForTurn(suspicion.rank(suspect))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next.start()
      else running--
    }
  }

  return {
    hash: (password, suspect) => inTurn(suspect, () => hash(password, cost)),
    verify: (passwordHash, password, suspect) =>
      inTurn(suspect, async () => {
        const same = await verify(passwordHash ?? (await dummy), password)
        const right = same && passwordHash !== null
        if (suspect) suspicion.note(suspect, right)
        return right
      }),
  }
}

const busy = () =>
  problem('unavailable', 'Too many people are signing in right now. Try again in a moment.', { retryAfterSeconds: 2 })
