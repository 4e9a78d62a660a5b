import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import * as sql from './queries.ts'
import { maxEvents, retentionDays } from './retention.ts'

/** Returns the jobs that purge old events and deliveries. */
// biome-ignore lint/suspicious/noExplicitAny: the kinds have different payloads
export function eventsJobs({ db }: Services): JobKind<any>[] {
  return [
    {
      queue: 'events-purge',
      everySeconds: 3_600,
      concurrency: 1,
      unique: true,
      retryLimit: 2,
      retryDelaySeconds: 60,
      heartbeatSeconds: 20,
      expireInSeconds: 600,
      async run(_payload: object, signal: AbortSignal) {
        for (const query of [sql.purgeEvents, sql.purgeSurplusEvents]) {
          while (!signal.aborted) {
            const { rowCount } = await db.result(query({ days: retentionDays, most: maxEvents }))
            if (rowCount === 0) break
          }
        }
      },
    },
    {
      queue: 'deliveries-purge',
      everySeconds: 300,
      concurrency: 1,
      unique: true,
      retryLimit: 2,
      retryDelaySeconds: 60,
      heartbeatSeconds: 20,
      expireInSeconds: 600,
      run: (_payload: object, signal: AbortSignal) => purgeDeliveries(db, signal),
    },
  ]
}
