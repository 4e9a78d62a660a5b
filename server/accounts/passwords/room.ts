/** How many processors hashing may use just now. */
export interface Room {
  /** A request of any kind has come in. */
  noteRequest(): void
  /** One of them has a password hashed. */
  noteHash(): void
  processors(): number
  /** Whether requests without a hash come in too: those who hash then rest for as long as they have worked. */
  isShared(): boolean
}

const spanMs = 250
const spans = 4

/** Requests without a hash, in a second, from which on they count: a monitor's now and then is no traffic. */
const fewPerSecond = 10

/**
 * All processors while there is little but sign-ins; one fewer while other requests come in too. However low its
 * priority, a hash on every processor pushes what requests work with out of the processors' caches, 19 MiB at a time, and
 * what needs no hash waits for those that do. For the same reason those that are left rest half of the time: the
 * runtime's own threads, which clear away what requests leave behind, want a processor too, and a request waits for them.
 * `now` in milliseconds.
 */
export function createRoom(count: number, now: () => number = () => performance.now()): Room {
  /** Requests without a hash by span of the last second; a hash takes its request back. */
  const others = new Array<number>(spans).fill(0)
  let newest = 0

  function current(): number {
    const span = Math.floor(now() / spanMs)
    for (let step = Math.max(newest + 1, span - spans + 1); step <= span; step++) others[step % spans] = 0
    newest = span
    return span % spans
  }

  function isShared(): boolean {
    current()
    return others.reduce((sum, each) => sum + each, 0) > fewPerSecond
  }

  return {
    noteRequest() {
      others[current()]!++
    },
    noteHash() {
      others[current()]!--
    },
    processors: () => (isShared() ? Math.max(1, count - 1) : count),
    isShared,
  }
}
