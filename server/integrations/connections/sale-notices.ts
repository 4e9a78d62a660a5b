import { transaction } from '#server/infra/db/transaction.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { saleNoticesMail, saleNoticesRefusedMail } from '#server/infra/mail-sms/templates.ts'
import { isFailure } from '#server/integrations/errors.ts'
import type { NoticeTarget } from '#server/integrations/port.ts'
import type { ConnectionHook, Services } from '#server/services.ts'
import { pushWebhooks } from '#shared/contract/selling/pushes.ts'
import * as sql from './queries.ts'
import { type ShopOwner, withShopAccess } from './with-shop-access.ts'

export const noticesQueue = 'connections-notices'

/** Requests sale notices as soon as a shop is connected, instead of at the next run of the recurring job. */
export const requestSaleNotices: ConnectionHook = async (
  { jobs, config },
  queries,
  { platform, seller_account_uid },
) => {
  if (platform !== 'ebay' || !config.EBAY_VERIFICATION_TOKEN) return
  await jobs.send(queries, noticesQueue, {}, { key: seller_account_uid })
}

/**
 * Subscribes connected eBay shops to sale notices and repairs subscriptions, of the shops not checked for `hours`. A
 * seller who consented before the permission existed gets one mail and a hint on the page of shops, and a seller whose
 * subscription eBay refuses gets one mail. Returns the number of shops handled.
 * Does nothing without EBAY_VERIFICATION_TOKEN, which eBay needs to verify the endpoint.
 */
export async function ensureSaleNotices(
  services: Services,
  { limit = 20, hours = 24, signal }: { limit?: number; hours?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const target = targetOf(services)
  if (!target) return 0
  const due = await services.db.any(sql.claimDueNotices({ limit, hours }))
  for (const owner of due) {
    if (signal?.aborted) break
    try {
      const state = await withShopAccess(
        services,
        owner,
        async (access, adapter) => adapter.notices?.ensure(access, target) ?? null,
        signal,
      )
      await record(services, owner, state)
    } catch (error) {
      services.log.warn(
        { err: error, seller_account: owner.seller_account_uid },
        'sale notices are not subscribed; sales are found by polling only',
      )
      await record(services, owner, isFailure(error, 'refused') ? 'refused' : 'failed')
    }
  }
  return due.length
}

/** `failed`: eBay did not answer, which passes. `refused`: it refused the subscription, which may need somebody's help. */
type Outcome = 'subscribed' | 'consent_needed' | 'failed' | 'refused' | null

async function record(services: Services, owner: ShopOwner, outcome: Outcome): Promise<void> {
  await transaction(services.db, 'record-notices', async (tx) => {
    const row = await tx.oneOrNone(sql.recordNotices({ ...owner, outcome }))
    if (!row?.told_email) return
    const isRefused = outcome === 'refused'
    const mailOf = isRefused ? saleNoticesRefusedMail : saleNoticesMail
    await enqueueMessage(services, tx, {
      template: isRefused ? 'sale-notices-refused' : 'sale-notices',
      user_id: owner.user_id,
      message: mailOf(row.told_email, services.config.PUBLIC_URL),
      expiresInSeconds: 7 * 86_400,
    })
  })
}

function targetOf({ config }: Services): NoticeTarget | null {
  const { EBAY_VERIFICATION_TOKEN: verificationToken, OPERATOR_EMAIL, MAIL_FROM, PUBLIC_URL } = config
  if (!verificationToken) return null
  const alertEmail = OPERATOR_EMAIL ?? /<([^<>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM
  return { endpoint: `${PUBLIC_URL}${pushWebhooks.receiveEbayPush.path}`, verificationToken, alertEmail }
}
