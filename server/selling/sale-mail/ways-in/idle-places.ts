/** A connection that waits for news. */
interface Waiting {
  /** When the account's last sale mail came (ms); 0 without one. */
  lastSaleAt: number
  ending: AbortController
}

export interface IdlePlaces {
  /** Takes a place, from the mailbox whose last sale is the longest ago if there is none. The signal aborts when it goes. */
  take(lastSaleAt: number): { ended: AbortSignal; leave: () => void }
}

/**
 * Keeps at most `count` connections waiting for news: those of the sellers who sold last. The others end, are read in
 * turn, and leave room for mailboxes that are due.
 */
export function createIdlePlaces(count: number): IdlePlaces {
  const waiting = new Set<Waiting>()
  return {
    take(lastSaleAt) {
      const own = { lastSaleAt, ending: new AbortController() }
      waiting.add(own)
      if (waiting.size > count) {
        // A set keeps its order: of equal ones, the longest waiting goes.
        const last = [...waiting].reduce((one, other) => (other.lastSaleAt < one.lastSaleAt ? other : one))
        waiting.delete(last)
        last.ending.abort()
      }
      return { ended: own.ending.signal, leave: () => waiting.delete(own) }
    },
  }
}
