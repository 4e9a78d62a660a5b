import type { Database } from './index.ts'

/**
 * Opens so many connections of a pool, so that the first requests find them: on a busy machine making one may take longer
 * than a request waits for it (faults F05, F10). Throws where the database takes none.
 */
export async function warmUp(db: Database, connections = 4): Promise<void> {
  // Each sleeps until the others have theirs, so that none is used twice.
  await Promise.all(Array.from({ length: connections }, () => db.one('select 1 as warm from pg_sleep(0.1)')))
}
