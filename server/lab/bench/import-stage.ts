import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { readConfig } from '#server/config.ts'
import { connectionHooks } from '#server/connection-hooks.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import type { SandboxCallLimits } from '#server/sandbox/ebay/trading-handler.ts'
import type { SandboxLimits } from '#server/sandbox/etsy/limits.ts'
import type { Services } from '#server/services.ts'
import { withoutAddressLimits } from '#server/testing/limits.ts'
import { usualTimes } from '#server/times.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

export interface Grant {
  access_token: string
  refresh_token: string
}

/** Addresses and tokens of the sandbox platforms. */
export interface StartedSandbox {
  ebay: { url: string; grant: Grant }
  etsy: { url: string; grant: Grant; shopId: number }
  /** Small shops of Etsy beside the big one. */
  small: { grant: Grant; shopId: number }[]
}

export interface SandboxPlan {
  /** Listings of each shop. */
  count: number
  /** eBay's limits; none by default. */
  ebayLimits?: SandboxCallLimits
  /** Etsy's limits; none by default. */
  etsyLimits?: SandboxLimits
  /** Small shops of Etsy, with `count` listings each; none by default. */
  small?: { shops: number; count: number }
}

/** Creates a worker's services over a real PostgreSQL with its normal settings. The benchmark runs the jobs itself. */
export async function setImportStage(): Promise<{ services: Services; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'hapax-bench-'))
  const database = await startEmbeddedDatabase(directory)
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

/** Starts the sandbox platforms with a big shop each, in a separate process. */
export function startImportSandbox(plan: SandboxPlan): { started: Promise<StartedSandbox>; close(): void } {
  const child = fork(fileURLToPath(new URL('./import-sandbox.ts', import.meta.url)), [JSON.stringify(plan)])
  return {
    started: new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(message as StartedSandbox))
      child.once('exit', (code) => reject(new Error(`the sandbox ended (${code})`)))
    }),
    close: () => void child.kill(),
  }
}

/** Connects a shop as if its seller had just consented, and disconnects all others. */
export async function connectShop(
  services: Services,
  user_id: number,
  platform: OAuthSlug,
  shop: { external_id: string },
  grant: Grant | null,
): Promise<string> {
  await services.db.none(
    "update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null",
  )
  const { seller_account_uid } = await storeConnection(services, {
    user_id,
    platform,
    shop: { ...shop, external_name: 'big', url: 'https://platform.example/big' },
    grant: {
      access_token: grant?.access_token ?? 'none',
      refresh_token: grant?.refresh_token ?? randomBase62(8),
      expires_in_seconds: 36_000,
      refresh_expires_in_seconds: null,
      scopes: [],
    },
  })
  return seller_account_uid
}
