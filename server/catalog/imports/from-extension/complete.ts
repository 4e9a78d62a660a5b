import { sendCheck } from '#server/catalog/checks/run-check.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import { markSynced } from '#server/integrations/connections/mark-synced.ts'
import { resolveSeenDown } from '#server/selling/alerts/say-ended.ts'
import type { Services } from '#server/services.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import { shortfall } from '#shared/import-issues.ts'
import { platformOf } from '#shared/platforms.ts'
import { importContention } from '../contention.ts'
import type { JobRef } from '../jobs/claim-job.ts'
import { emitImportEnd } from '../jobs/emit-import-end.ts'
import { readJob } from '../jobs/read-jobs.ts'
import { createMatcher } from '../matching/matcher.ts'
import * as sql from './queries.ts'
import { type ExtensionJob, lockExtensionJob, processBatch } from './take-batch.ts'

/**
 * Completes an import by the extension. Adds a failed item if fewer listings are known than the shop
 * states. Repeating it changes nothing. Throws 409 for a failed import.
 */
export async function completeExtensionImport(services: Services, ref: JobRef): Promise<ImportJob> {
  return transaction(
    services.db,
    'complete-extension-import',
    async (tx) => {
      const job = await lockExtensionJob(tx, ref)
      if (job.status === 'failed') throw problem('conflict', 'This import is over. Start another one.')
      if (job.status !== 'completed') {
        await compareTotal(services, tx, job)
        const reading = await tx.oneOrNone(sql.findReading(ref))
        await tx.none(sql.completeJob(job))
        await markSynced(tx, job)
        if (reading?.seller_account_uid) {
          await resolveSeenDown(tx, { ...ref, ...reading, seller_account_uid: reading.seller_account_uid })
        }
        await sendCheck(services, tx, job.user_id)
        await emitImportEnd(tx, job)
      }
      return readJob(tx, ref)
    },
    importContention,
  )
}

/**
 * Compares the known listings with the shop's total, for clients that do not do so themselves. Sold listings count too,
 * so that a whole shop is never taken for a part.
 */
async function compareTotal(services: Services, tx: Transaction, job: ExtensionJob): Promise<void> {
  if (job.expected_total === null) return
  const { known, is_reported } = await tx.one(sql.countKnown(job))
  if (is_reported || known >= job.expected_total) return
  const changed = { platform: platformOf(job.platform).name, what: 'page' } as const
  const failure = shortfall(changed, { found: known, total: job.expected_total })
  await processBatch(services, tx, job, { found: [failure], bytes: 0 }, createMatcher(job))
}
