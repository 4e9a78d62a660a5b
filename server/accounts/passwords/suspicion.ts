/** Who tries a password. */
export interface Suspect {
  /** From where; a text that only has to differ. */
  address: string
  /** The account was entered from there before. */
  isKnown: boolean
}

/** Who has shown more than a password can: a bearer token, or a link from the mailbox. Guesses make room for it. */
export const proven: Suspect = { address: '', isKnown: true }

/** What is kept of one address, at most this long without anything new. */
const forgetMs = 15 * 60_000
const maxKept = 50_000

/**
 * Who is likely to be honest: whoever comes from where the account was entered before, then addresses without failures,
 * then those with more and more. Only an order for the queue: it refuses nobody by itself, and says nothing about
 * whether an account exists.
 */
export function createSuspicion(now: () => number = Date.now) {
  const failures = new Map<string, { count: number; at: number }>()

  const countOf = (address: string) => {
    const known = failures.get(address)
    return known && known.at > now() - forgetMs ? known.count : 0
  }
  return {
    /** 0 is best. */
    rank(suspect: Suspect | undefined): number {
      if (!suspect) return 1
      return suspect.isKnown ? 0 : 1 + countOf(suspect.address)
    },
    note({ address }: Suspect, right: boolean): void {
      const count = countOf(address) + 1
      // Put at the end again: the oldest are forgotten first.
      failures.delete(address)
      if (right) return
      failures.set(address, { count, at: now() })
      if (failures.size > maxKept) failures.delete(failures.keys().next().value as string)
    },
  }
}
