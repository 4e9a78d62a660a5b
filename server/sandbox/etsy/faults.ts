/** What goes wrong at the sandbox's door. */
export const faultKinds = {
  slow: 'answers late',
  drip: 'sends a byte at a time, so far apart',
  fail_before: 'breaks the connection before the call was done',
  fail_after: 'breaks the connection after the call was done',
  http_500: 'answers 500 with Etsy’s "Server Error"',
  html_body: 'answers 200 with a page of HTML',
  rate_limit: 'answers 429, with Retry-After',
  cut: 'breaks the connection in the middle of the answer',
  truncate: 'sends half of the JSON as if it were all',
  garbage: 'sends bytes that are no gzip, said to be gzip',
  short_page: 'answers half of the page’s listings, the count as it is',
  empty_page: 'answers none of the page’s listings',
  repeat_page: 'answers the page before this one again',
  token_invalid: 'does not accept the token',
}
export type FaultKind = keyof typeof faultKinds

export interface Fault {
  /** An operation of Etsy's document (getListingsByShop, getListing, getMe, ...), `token`, or `*` for every call. */
  call: string
  kind: FaultKind
  /** How many calls it strikes; 1 when left out. */
  times?: number
  /** How many calls pass unharmed before it strikes. */
  skip?: number
  delayMs?: number
  /** Of a `rate_limit`; null: without Retry-After. */
  retryAfterSeconds?: number | null
}

export type Strike = Required<Omit<Fault, 'call' | 'times' | 'skip'>>

/** The faults in force, what happens between calls, and the count of calls. */
export function createFaults() {
  let active: Required<Fault>[] = []
  let between: { call: string; skip: number; act: () => void }[] = []
  const counts = new Map<string, number>()
  return {
    set(fault: Fault): void {
      active.push({ times: 1, skip: 0, delayMs: 1_000, retryAfterSeconds: 1, ...fault })
    },
    /** Does something once, before the call after the next `skip` ones is answered: the shop changes between pages. */
    before(call: string, skip: number, act: () => void): void {
      between.push({ call, skip, act })
    },
    clear(): void {
      active = []
      between = []
    },
    /** Those that still strike. */
    inForce: () => active.filter(({ times }) => times > 0),
    /** Names of the calls that came in since the start or the last reset. */
    names: () => [...counts.keys()],
    /** How many calls of this name came in since the start or the last reset; of all names with `*`. */
    count(call: string): number {
      if (call !== '*') return counts.get(call) ?? 0
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    },
    resetCounts(): void {
      counts.clear()
    },
    /** Counts a call, does what is to happen before it, and says what strikes it. */
    strike(call: string): Strike | null {
      counts.set(call, (counts.get(call) ?? 0) + 1)
      const concerns = (entry: { call: string }) => entry.call === '*' || entry.call === call
      const due = between.filter((entry) => concerns(entry) && entry.skip === 0)
      between = between.filter((entry) => !due.includes(entry))
      for (const entry of between) if (concerns(entry)) entry.skip--
      for (const { act } of due) act()
      for (const fault of active) {
        if (!concerns(fault) || fault.times <= 0) continue
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
export type Faults = ReturnType<typeof createFaults>
