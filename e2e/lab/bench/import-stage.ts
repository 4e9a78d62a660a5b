import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutAddressLimits } from '#e2e/harness/limits.ts'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { readConfig } from '#server/config.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { connectionHooks } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'
import { usualTimes } from '#server/times.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** The shop that is imported. */
export const bigShop = { external_id: 'fake', external_name: 'big', url: 'https://platform.example/big' }

/**
 * Creates a worker's services over a real PostgreSQL with its normal settings, or over the database at an address, which it
 * migrates. The benchmark runs the jobs itself.
 */
export async function setImportStage(url?: string): Promise<{ services: Services; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'hapax-bench-'))
  const database = url === undefined ? await startEmbeddedDatabase(directory) : { url, stop: async () => {} }
  await migrate(database.url)
  const db = openDatabase({ url: database.url, applicationName: 'hapax-bench' })
  const log = createLog('warn')
  const now = () => new Date()
  const config = readConfig({ DATABASE_URL: database.url, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') })
  const nothing = async () => {}
  const services: Services = {
    config,
    db,
    log,
    jobs: { send: nothing, register: nothing, retry: nothing, cancel: nothing, beginStop: () => {}, stop: nothing },
    platforms: new Map(),
    fetch,
    passwords: createPasswordHasher(),
    limits: withoutAddressLimits,
    times: usualTimes,
    usage: createUsageRecorder({ db, log, now }),
    quotas: createQuotas({ db, config, now }),
    audit: createAuditTrail({ db, log, now, keptDays: 180 }),
    connectionHooks: connectionHooks(),
    atStop: createShutdownSteps(),
    now,
  }
  return {
    services,
    async close() {
      await closeDatabase(db)
      await database.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Connects a shop of the seller's own as if they had just consented. */
export async function connectShop(services: Services, user_id: number, platform: OAuthSlug): Promise<string> {
  const { seller_account_uid } = await storeConnection(services, {
    user_id,
    platform,
    shop: { ...bigShop, external_id: `fake-${user_id}` },
    grant: {
      access_token: 'none',
      refresh_token: randomBase62(8),
      expires_in_seconds: 36_000,
      refresh_expires_in_seconds: null,
      scopes: [],
    },
  })
  return seller_account_uid
}
