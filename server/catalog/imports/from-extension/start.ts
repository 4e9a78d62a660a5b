import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import type { AuditEntry } from '#server/infra/audit/record.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { findOrCreateScrapedShop } from '#server/integrations/connections/scraped-shop.ts'
import type { Services } from '#server/services.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { openJob } from '../jobs/open-job.ts'

/**
 * Opens an import of the seller's own shop that the extension fills. Returns the live one if there is
 * one, so that a restarted extension resumes. Throws 409 `quota_exceeded`.
 */
export async function startExtensionImport(
  services: Services,
  asked: {
    user_id: number
    platform: ExtensionSlug
    shop: { username: string; url: string }
    expected_total?: number
    reading_since?: string
  },
  keep: KeepReply,
  by: Pick<AuditEntry, 'key_id' | 'origin'>,
): Promise<{ status: 200 | 201; body: ImportJob }> {
  const { answer, made } = await transaction(services.db, 'start-extension-import', async (tx) => {
    const { user_id, platform } = asked
    const shop = await findOrCreateScrapedShop(tx, { user_id, platform, ...asked.shop })
    const opened = await openJob(tx, {
      user_id,
      seller_account_uid: shop.uid,
      platform,
      source: 'extension',
      states: ['active'],
      auto_start: true,
      expected_total: asked.expected_total ?? null,
      ...(asked.reading_since !== undefined && { read_since: asked.reading_since }),
    })
    if (opened.status === 201) await services.quotas.requireImportQuota(tx, asked.user_id)
    return { answer: await keep(tx, opened), made: shop.is_new ? shop.uid : null }
  })
  if (made) await services.audit.record({ ...by, user_id: asked.user_id, action: 'connection.made', target: made })
  return answer
}
