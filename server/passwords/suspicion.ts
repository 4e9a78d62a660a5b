/** Whose password is tried, from where. Texts that only have to differ. */
export interface Suspect {
  subject: string
  address: string
}

/** What is kept of one address, at most this long without anything new. */
const forgetMs = 15 * 60_000
const maxKept = 50_000

/**
 * Who is likely to be honest, by what this process has seen: an account that signed in from this address before, then
 * addresses without failures, then those with more and more. Only an order for the queue: it refuses nobody by itself,
 * and says nothing about whether an account exists.
 */
export function createSuspicion(now: () => number = Date.now) {
  const failures = new Map<string, { count: number; at: number }>()
  const trusted = new Set<string>()

  return {
    /** 0 is best. */
    rank(suspect: Suspect | undefined): number {
      if (!suspect) return 1
      if (trusted.has(`${suspect.subject} ${suspect.address}`)) return 0
      const known = failures.get(suspect.address)
      return known && known.at > now() - forgetMs ? 1 + known.count : 1
    },
    note(suspect: Suspect, right: boolean): void {
      const pair = `${suspect.subject} ${suspect.address}`
      if (right) {
        remember(trusted, pair)
        failures.delete(suspect.address)
        return
      }
      const known = failures.get(suspect.address)
      const count = known && known.at > now() - forgetMs ? known.count + 1 : 1
      // Put at the end again: the oldest are forgotten first.
      failures.delete(suspect.address)
      failures.set(suspect.address, { count, at: now() })
      if (failures.size > maxKept) failures.delete(failures.keys().next().value as string)
    },
  }
}

function remember(set: Set<string>, value: string): void {
  set.delete(value)
  set.add(value)
  if (set.size > maxKept) set.delete(set.values().next().value as string)
}
