import { reseal } from '#server/infra/crypto/reseal.ts'
import { isDatabaseKey } from '#server/infra/crypto/secret-keys.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import { sealedColumns } from '#server/operations/encryption/sealed-columns.ts'
import type { Services } from '#server/services.ts'

/** During a rotation: encrypts with SECRET_KEY what the previous key encrypted, again and again until both are one. */
export function cryptoJobs({ config, db, log }: Services): JobKind<object>[] {
  return [
    {
      queue: 'reseal',
      concurrency: 1,
      retryLimit: 3,
      retryDelaySeconds: 30,
      heartbeatSeconds: 20,
      expireInSeconds: 900,
      unique: true,
      everySeconds: 600,
      async run(_payload, signal) {
        if (!config.SECRET_KEY_PREVIOUS || !(await isDatabaseKey(db, config))) return
        for (const column of sealedColumns) {
          const changed = await reseal(db, config, column, signal)
          if (changed > 0) log.info({ table: column.table, column: column.column, changed }, 're-encrypted')
        }
      },
    },
  ]
}
