import { userInfo } from 'node:os'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { readConfig } from '#server/config.ts'
import { realLimits } from '#server/http/limits/limit-settings.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { commandSecretKey } from '#server/infra/crypto/sandbox-secret-key.ts'
import { openHashKey } from '#server/infra/crypto/secret-keys.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { connectionHooks } from '#server/rooms.ts'
import { usualTimes } from '#server/times.ts'
import { runAdmin } from '../run-admin.ts'

/** Runs `npm run admin -- user find --email ada@example.com`, while Hapax runs or not. */
async function main(argv: string[], environment: Record<string, string | undefined>): Promise<void> {
  const given = readConfig(environment)
  const url = given.DATABASE_URL ?? (await findEmbeddedDatabase(given.DATA_DIR))
  if (!url) throw new Error(`No database is running on ${given.DATA_DIR}: start Hapax first, or set DATABASE_URL.`)
  const SECRET_KEY = await commandSecretKey(given)
  const db = openDatabase({ url, max: 2, applicationName: 'hapax-admin' })
  // Answers go to standard output, so warnings go elsewhere.
  const log = createLog('warn', process.stderr)
  const jobs = await openJobs({ url, works: false, log })
  const now = () => new Date()
  try {
    const config = { ...given, SECRET_KEY, hashKey: await openHashKey(db, { ...given, SECRET_KEY }) }
    const services = {
      ...{ config, db, log, jobs, now, fetch, limits: realLimits, times: usualTimes, platforms: new Map() },
      passwords: createPasswordHasher(),
      usage: createUsageRecorder({ db, log, now }),
      quotas: createQuotas({ db, config, now }),
      audit: createAuditTrail({ db, log, now, keptDays: config.AUDIT_DAYS }),
      connectionHooks: connectionHooks(),
      atStop: createShutdownSteps(),
    }
    await runAdmin(services, argv, { write: (text) => process.stdout.write(text), operator: userInfo().username })
  } finally {
    await jobs.stop()
    await closeDatabase(db)
  }
}

main(process.argv.slice(2), process.env).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    // Exit at once: the embedded database's exit hook would exit with 0.
    process.exit(1)
  },
)
