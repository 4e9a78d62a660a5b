export interface Fault<Kind extends string> {
  /** The call's name as the platform's documents have it, `token`, or `*` for every call. */
  call: string
  kind: Kind
  /** Calls that it strikes; 1 by default. */
  times?: number
  /** Calls that pass before it strikes; 0 by default. */
  skip?: number
  delayMs?: number
  /** How long it strikes; for good by default. */
  forMs?: number
  /** Strikes only calls about this item. */
  itemId?: string
  /** The Retry-After of a rate limit; null for none. */
  retryAfterSeconds?: number | null
}

export type Strike<Kind extends string> = Required<Pick<Fault<Kind>, 'kind' | 'delayMs' | 'retryAfterSeconds'>>
type ActiveFault<Kind extends string> = Required<Omit<Fault<Kind>, 'itemId' | 'forMs'>> &
  Pick<Fault<Kind>, 'itemId'> & { untilMs: number }

/** Creates fault injection for one stand-in, which counts its calls too. */
export function createFaults<Kind extends string>() {
  let active: ActiveFault<Kind>[] = []
  let between: { call: string; skip: number; act: () => void }[] = []
  const counts = new Map<string, number>()
  return {
    set({ forMs = Number.POSITIVE_INFINITY, ...fault }: Fault<Kind>): void {
      const untilMs = performance.now() + forMs
      active.push({ times: 1, skip: 0, delayMs: 1_000, retryAfterSeconds: 1, ...fault, untilMs })
    },
    /** Runs `act` once, before the call after the next `skip` ones, so that a shop changes between pages. */
    before(call: string, skip: number, act: () => void): void {
      between.push({ call, skip, act })
    },
    clear(): void {
      active = []
      between = []
    },
    /** Returns the faults that will still strike. */
    inForce: () => active.filter(isInForce),
    /** Returns the names of the calls since the start or the last reset. */
    names: () => [...counts.keys()],
    /** Returns the number of calls of this name, or of all with `*`, since the start or the last reset. */
    count(call: string): number {
      if (call !== '*') return counts.get(call) ?? 0
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    },
    resetCounts(): void {
      counts.clear()
    },
    /** Counts a call, runs what is due before it, and returns the fault that strikes it. */
    strike(call: string, itemId?: string): Strike<Kind> | null {
      counts.set(call, (counts.get(call) ?? 0) + 1)
      const concerns = (entry: { call: string }) => entry.call === '*' || entry.call === call
      const due = between.filter((entry) => concerns(entry) && entry.skip === 0)
      between = between.filter((entry) => !due.includes(entry))
      for (const entry of between) if (concerns(entry)) entry.skip--
      for (const { act } of due) act()
      for (const fault of active) {
        if (!concerns(fault) || !isInForce(fault)) continue
        if (fault.itemId !== undefined && fault.itemId !== itemId) continue
        if (fault.skip > 0) {
          fault.skip--
          continue
        }
        fault.times--
        return fault
      }
      return null
    },
  }
}

const isInForce = ({ times, untilMs }: { times: number; untilMs: number }) => times > 0 && performance.now() < untilMs

export type Faults<Kind extends string> = ReturnType<typeof createFaults<Kind>>
