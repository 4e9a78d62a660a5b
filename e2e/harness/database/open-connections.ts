import type { Database } from '#server/infra/db/index.ts'

/** Opens this many connections of a pool, so that a test about slow statements does not meet slow connecting. */
export async function openConnections(db: Database, count: number): Promise<void> {
  for (let attempt = 1; (db.$pool as { totalCount: number }).totalCount < count; attempt++) {
    // All wait until the last has its connection, so that none is used twice.
    const barrier = Promise.withResolvers<void>()
    let open = 0
    const all = Array.from({ length: count }, () =>
      db.task(async () => {
        if (++open === count) barrier.resolve()
        await barrier.promise
      }),
    )
    await Promise.all(all).catch((error: unknown) => {
      barrier.resolve()
      if (attempt === 10) throw error
    })
  }
}
