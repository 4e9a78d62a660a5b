import { reencrypt } from '#server/infra/crypto/re-encrypt.ts'
import { isDatabaseKey } from '#server/infra/crypto/secret-keys.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import { encryptedColumns } from '#server/operations/encryption/encrypted-columns.ts'
import type { Services } from '#server/services.ts'

/** Returns the job that, during a rotation, re-encrypts values of SECRET_KEY_PREVIOUS until none is left. */
export function cryptoJobs({ config, db, log }: Services): JobKind<object>[] {
  return [
    {
      queue: 'reencrypt',
      concurrency: 1,
      retryLimit: 3,
      retryDelaySeconds: 30,
      heartbeatSeconds: 20,
      expireInSeconds: 900,
      unique: true,
      everySeconds: 600,
      async run(_payload, signal) {
        if (!config.SECRET_KEY_PREVIOUS || !(await isDatabaseKey(db, config))) return
        for (const column of encryptedColumns) {
          const changed = await reencrypt(db, config, column, signal)
          if (changed > 0) log.info({ table: column.table, column: column.column, changed }, 're-encrypted')
        }
      },
    },
  ]
}
