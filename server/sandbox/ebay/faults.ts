/** What goes wrong at the sandbox's door. */
export const faultKinds = {
  slow: 'answers late',
  fail_before: 'breaks the connection before the call was done',
  fail_after: 'breaks the connection after the call was done',
  http_500: 'answers 500, without eBay’s XML or JSON',
  html_body: 'answers 200 with a page of HTML',
  rate_limit: 'says, as eBay words it, that there were too many calls in a short while',
  day_limit: 'says that the application’s calls of the day are used up',
  cut: 'breaks the connection in the middle of the answer',
  token_invalid: 'does not accept the token',
  concurrent: 'says that two writes about one thing met (REST 25025)',
}
export type FaultKind = keyof typeof faultKinds

export interface Fault {
  /** A Trading call's name, `token`, `identity`, or `*` for every call. */
  call: string
  kind: FaultKind
  /** How many calls it strikes; 1 when left out. */
  times?: number
  /** How many calls pass unharmed before it strikes. */
  skip?: number
  /** Only calls about this item (GetItem). */
  itemId?: string
  delayMs?: number
}

/** The faults in force, and the count of calls. */
export function createFaults() {
  let active: (Required<Pick<Fault, 'call' | 'kind' | 'times' | 'skip' | 'delayMs'>> & Pick<Fault, 'itemId'>)[] = []
  const counts = new Map<string, number>()
  return {
    set(fault: Fault): void {
      active.push({ times: 1, skip: 0, delayMs: 1_000, ...fault })
    },
    clear(): void {
      active = []
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
    /** Counts a call, and says what strikes it. */
    strike(call: string, itemId?: string): { kind: FaultKind; delayMs: number } | null {
      counts.set(call, (counts.get(call) ?? 0) + 1)
      for (const fault of active) {
        if (fault.call !== '*' && fault.call !== call) continue
        if (fault.itemId !== undefined && fault.itemId !== itemId) continue
        if (fault.skip > 0) {
          fault.skip--
          continue
        }
        if (fault.times <= 0) continue
        fault.times--
        return { kind: fault.kind, delayMs: fault.delayMs }
      }
      return null
    },
  }
}
export type Faults = ReturnType<typeof createFaults>
