import { join } from 'node:path'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { withoutAddressLimits } from '#e2e/harness/limits.ts'
import { patientTimeouts, patientTimes } from '#e2e/harness/patient-times.ts'
import { startHapax } from '#server/main.ts'

export interface LabServer {
  url: string
  close(): Promise<void>
}

const never = '1000000000'

/**
 * Starts a whole Hapax with its sandbox marketplaces on this machine, over the given database. It has no rate limits
 * and no daily quotas, because all requests come from one address and few accounts.
 */
export async function startLabServer(databaseUrl: string, dataDir: string): Promise<LabServer> {
  const port = await freePorts(7)
  const hapax = await startHapax(
    {
      ...{ SANDBOX: 'on', HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
      ...{ LOG_LEVEL: 'error', TRIAL_DAYS: '3650' },
      EBAY_VERIFICATION_TOKEN: 'a-verification-token-of-the-laboratory',
      ...{ QUOTA_ITEMS: never, QUOTA_ITEM_MB: never, QUOTA_FOUND_MB: never },
      ...{ QUOTA_IMPORTS_PER_DAY: never, QUOTA_WRITTEN_MB_PER_DAY: never },
    },
    {
      // The log explains findings.
      logFile: join(dataDir, 'hapax.log'),
      // A statement that a busy machine ends is no finding.
      requestTimeouts: patientTimeouts,
      services: { limits: withoutAddressLimits, passwords: cheapPasswords, times: patientTimes },
    },
  )
  return { url: hapax.config.PUBLIC_URL, close: () => hapax.close() }
}
