import { setTimeout as delay } from 'node:timers/promises'
import { type Database, isDatabaseUnavailable } from './index.ts'

/** How often it is tried, at each time for as long as the pool bears to wait. */
const attempts = 30

/**
 * Opens so many connections of a pool, so that the first requests find them: on a busy machine making one may take longer
 * than a request waits for it. Throws where the database takes none for a minute.
 */
export async function warmUp(db: Database, connections = 4): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // Each sleeps until the others have theirs, so that none is used twice.
      await Promise.all(Array.from({ length: connections }, () => db.one('select 1 as warm from pg_sleep(0.1)')))
      return
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempt === attempts) throw error
      await delay(100)
    }
  }
}
