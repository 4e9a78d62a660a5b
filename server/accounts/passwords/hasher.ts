import { availableParallelism } from 'node:os'
import { problem } from '#server/infra/errors.ts'
import { createHashThreads, type HashThreads } from './hash-threads.ts'
import { createRoom } from './room.ts'
import { createSuspicion, type Suspect } from './suspicion.ts'

export interface PasswordHasher {
  /** A request of any kind has come in: who needs no password hashed is left a processor. */
  noteRequest(): void
  /** One of them was refused before its password was hashed: somebody who guesses on is no traffic to be spared. */
  noteRefused(): void
  /** The password as a PHC string with a salt of its own. Throws `unavailable` when too many wait. */
  hash(password: string, suspect?: Suspect): Promise<string>
  /**
   * Whether the password is the one that was hashed. A null hash (no such account, or none set) costs the same time
   * and is always false. Throws `unavailable` when too many wait that are likelier to be honest.
   */
  verify(passwordHash: string | null, password: string, suspect?: Suspect): Promise<boolean>
  /** As many wait as may: `verify` refuses who is not likelier to be honest than the last of them. */
  isFull(): boolean
  /** Throws `unavailable` where `verify` would at once. */
  refuseIfFull(suspect: Suspect): void
  /**
   * For how many milliseconds who comes now can be made to wait for others of its kind, so that their queries are one:
   * about a hash where others wait for their turn, three where as many wait as may, since everybody's turn but that of
   * those who are known is later than that; else 0.
   */
  spareMs(): number
}

/** About what a hash takes, in milliseconds. */
const hashMs = 20

/** One that waited behind another, or for a processor, did not work all that time. */
const longestRestMs = 2 * hashMs

/** While as many wait as may, what a stranger's hash is followed by: so many rests, of which who is known waits for one. */
const restsInFlood = 3

interface Waiting {
  rank: number
  start: () => void
  refuse: () => void
}

/**
 * Hashing off the event loop: at most `concurrency` at once (each holds 19 MiB), one handed out behind each of them, and at
 * most `maxWaiting` behind those; more is 503 at once, so that a flood costs bounded memory and nobody waits for long (threats
 * T39). While other requests come in it is one fewer at once, none behind it, and a rest after each as long as its work; in
 * a flood three times as long, for all but those who come from where the account was entered before. Who has failed least
 * comes first, and who has failed most makes room: honest sign-ins go on while others are guessing.
 */
export function createPasswordHasher(
  options: { concurrency?: number; maxWaiting?: number; threads?: HashThreads } = {},
): PasswordHasher {
  const concurrency = options.concurrency ?? Math.max(1, availableParallelism())
  const maxWaiting = options.maxWaiting ?? 64
  const suspicion = createSuspicion()
  /** By rank, then by arrival. */
  const waiting: Waiting[] = []
  let running = 0
  /** Of the places taken, those that are only kept from strangers, for a while. */
  const kept = new Set<NodeJS.Timeout>()
  const threads = options.threads ?? sharedThreads(concurrency)
  const room = createRoom(concurrency)
  /** What is handed out at once: one that a thread works on, and the next, so that no thread that need not rest waits. */
  const places = () => room.processors() * (room.isShared() ? 1 : 2)

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
    room.noteHash()
    const rank = suspicion.rank(suspect)
    if (running < places()) running++
    else if (rank > 0 || !takeKept()) await waitForTurn(rank)
    const startedMs = performance.now()
    try {
      return await work()
    } finally {
      const workedMs = Math.min(performance.now() - startedMs, longestRestMs)
      const isLong = rank > 0 && isFull()
      if (room.isShared()) setTimeout(() => (isLong ? keep((restsInFlood - 1) * workedMs) : leave()), workedMs)
      else leave()
    }
  }

  /** A place that has rested: for who is known at once, for strangers later. */
  function keep(forMs: number): void {
    if (waiting[0]?.rank === 0) {
      leave()
      return
    }
    const timer = setTimeout(() => {
      kept.delete(timer)
      leave()
    }, forMs)
    kept.add(timer)
  }

  function takeKept(): boolean {
    const [timer] = kept
    clearTimeout(timer)
    return timer !== undefined && kept.delete(timer)
  }

  const isFull = () => waiting.length >= maxWaiting

  function leave(): void {
    running--
    while (waiting.length > 0 && running < places()) {
      running++
      waiting.shift()!.start()
    }
  }

  return {
    isFull,
    refuseIfFull(suspect) {
      const last = isFull() ? waiting.at(-1) : undefined
      if (!last || last.rank > suspicion.rank(suspect)) return
      room.noteHash()
      throw busy()
    },
    spareMs: () => (isFull() ? 3 : Math.min(waiting.length, 1)) * hashMs,
    noteRequest: room.noteRequest,
    noteRefused: room.noteHash,
    hash: (password, suspect) => inTurn(suspect, () => threads.hash(password, room.processors())),
    verify: (passwordHash, password, suspect) =>
      inTurn(suspect, async () => {
        const same = await threads.verify(passwordHash ?? dummyHash, password, room.processors())
        const right = same && passwordHash !== null
        if (suspect) suspicion.note(suspect, right)
        return right
      }),
  }
}

/**
 * Of a password that nobody can send (it is longer than any that is let in), at the cost of every other: what an
 * unknown account is compared with.
 */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$PHWRqbsZF1eYfKMhqTzjmg$k8DQf3mKZJ7guUjVGu8teNtQ/aa2zYOjUnIxSFHuRfk'

/** One set of threads for all hashers of a process: their number is what bounds its memory. */
const threadsByCount = new Map<number, HashThreads>()
function sharedThreads(count: number): HashThreads {
  const threads = threadsByCount.get(count) ?? createHashThreads(count)
  threadsByCount.set(count, threads)
  return threads
}

const busy = () =>
  problem('unavailable', 'Too many people are signing in right now. Try again in a moment.', {
    retryAfterSeconds: 2,
    isOneOfMany: true,
  })
