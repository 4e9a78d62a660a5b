/** Counts of the running minute by subject. */
export interface MemoryCounts {
  /** Counts so many requests; answers how many the minute has now, and what is left of it. */
  add(subject: string, requests: number): { count: number; seconds: number }
}

const minuteMs = 60_000
const most = 50_000

/**
 * Counts of this process alone, for while the database refuses writes: reads go on, and what they count
 * against is no longer shared by the servers, but is there. Bounded: what is forgotten is counted anew.
 */
export function createMemoryCounts(now: () => number = Date.now): MemoryCounts {
  const minutes = new Map<string, { count: number; endsMs: number }>()
  return {
    add(subject, requests) {
      const known = minutes.get(subject)
      const minute = known && known.endsMs > now() ? known : { count: 0, endsMs: now() + minuteMs }
      if (minutes.size >= most && !known) minutes.clear()
      minute.count += requests
      minutes.set(subject, minute)
      return { count: minute.count, seconds: (minute.endsMs - now()) / 1000 }
    },
  }
}
