import { queuePush } from '#server/accounts/web-push/queue-push.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { alertMail } from '#server/infra/mail-sms/templates.ts'
import { type LinkConfig, orderUrl, placeName } from '#server/selling/sales/observed-sale.ts'
import type { ConnectionHook, Services } from '#server/services.ts'
import { defaultAlertMails } from '#shared/contract/selling/orders.ts'
import { platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** Alerts per step. */
const batch = 100

/** Longest address in a notification, which holds at most 4,096 bytes. */
const maxAddress = 1_000

type UnmailedAlert = RowOf<typeof sql.findAlertToMail>

/** Mails new alerts to their sellers and pushes them to their browsers, each problem at most once a day. Returns the number of claimed alerts. */
export async function mailAlerts(services: Services): Promise<number> {
  return transaction(services.db, 'mail-alerts', async (tx) => {
    const alerts = await tx.any(sql.claimUnmailed({ count: batch }))
    for (const claimed of alerts) {
      const alert = await tx.one(sql.findAlertToMail({ ...claimed, usual_kinds: defaultAlertMails }))
      const { user_id, kind, item_uid, reference } = alert
      const words = wordsOf(alert, services.config)
      if (!alert.is_repeated) {
        const path = item_uid ? `/app/#item/${item_uid}` : '/app/#home'
        const tag = `${kind} ${item_uid ?? ''} ${reference}`
        const notice = { title: words.subject, body: words.happened, path, tag, ...listingToEnd(alert) }
        await queuePush(tx, { user_id, kind, notice })
      }
      await mailAlert(services, tx, alert, words)
    }
    return alerts.length
  })
}

/** Mails an alert, where a mail is wanted and possible. */
async function mailAlert(
  services: Services,
  tx: Queries,
  { user_id, kind, item_uid, reference, email }: UnmailedAlert,
  words: Parameters<typeof alertMail>[1],
): Promise<void> {
  if (email === null) return
  const day = new Date().toISOString().slice(0, 10)
  await enqueueMessage(services, tx, {
    template: 'alert',
    user_id,
    message: alertMail(email, words),
    expiresInSeconds: 86_400,
    // A platform that fails and recovers all day opens the same alert many times.
    dedupeKey: `alert ${user_id} ${kind} ${item_uid ?? ''} ${reference} ${day}`,
  })
}

/** Mails the open alerts of a seller whose address was not verified before. Their browsers have shown them. */
export const mailOpenAlerts: ConnectionHook<{ user_id: number }> = async (services, tx, { user_id }) => {
  for (const { uid } of await tx.any(sql.listNotified({ user_id }))) {
    const alert = await tx.one(sql.findAlertToMail({ user_id, uid, usual_kinds: defaultAlertMails }))
    await mailAlert(services, tx, alert, wordsOf(alert, services.config))
  }
}

/** Returns the page where only the seller can end the listing, which a click on the notification opens. */
function listingToEnd({ kind, platform, listing_url }: UnmailedAlert): { listing_url?: string } {
  const isManual = platform !== null && platformOf(platform).capabilities.list === 'manual'
  return kind === 'delist_overdue' && isManual && listing_url && listing_url.length <= maxAddress ? { listing_url } : {}
}

function wordsOf(alert: UnmailedAlert, config: LinkConfig): Parameters<typeof alertMail>[1] {
  const { kind, platform, message: happened, external_order_id, item_uid } = alert
  const where = platform ? platformOf(platform).name : 'your shop'
  const item = alert.title ?? 'An item'
  const order =
    platform && external_order_id
      ? { label: 'Open the order', url: orderUrl(platform, external_order_id, config) }
      : undefined
  const reconnect = { label: `Connect ${where}`, url: `${config.PUBLIC_URL}/connect/?to=${platform ?? 'shops'}` }
  const isManual = platform !== null && platformOf(platform).capabilities.list === 'manual'
  const stillLive = isManual
    ? `Its listing on ${where} is still live, so somebody else may buy it.`
    : `Hapax could not end its listing on ${where} yet, so somebody else may still buy it.`
  const app = { label: 'Open Hapax', url: `${config.PUBLIC_URL}/app/` }
  switch (kind) {
    case 'connection_lost':
      return {
        subject: `Connect ${where} again`,
        happened,
        doing: 'Until then Hapax can neither end listings there nor see sales.',
        link: reconnect,
      }
    case 'orders_unread':
      return {
        subject: `Hapax cannot read your orders on ${where}`,
        happened,
        doing: 'Hapax keeps trying. Until it works, an item that sells there stays listed elsewhere.',
        link: app,
      }
    case 'delist_overdue':
      return {
        subject: `Still live on ${where}: ${item}`,
        happened: alert.sold_on ? `${item} sold ${placeName(alert.sold_on)}. ${stillLive}` : happened,
        doing: isManual
          ? 'Only you can end it there. Open the listing, and end it.'
          : (alert.advice ?? 'Hapax keeps trying. To be safe, end the listing yourself.'),
        link: alert.listing_url ? { label: 'Open the listing', url: alert.listing_url } : app,
      }
    case 'oversell':
      return {
        subject: `Sold twice: ${item}`,
        happened,
        doing: 'Cancel the later order, because there is only one of this item.',
        link: order,
      }
    case 'excess_quantity':
      return {
        subject: `Ordered more than once: ${item}`,
        happened,
        doing: 'There is only one of this item.',
        link: order,
      }
    case 'sold_while_withdrawn':
      return {
        subject: `Sold while withdrawn: ${item}`,
        happened,
        doing: 'Ship it, or cancel the order.',
        link: order,
      }
    case 'listing_expired':
      return {
        subject: `Expired on ${where}: ${item}`,
        happened,
        doing: 'Nobody can buy it there until then.',
        link: alert.listing_url ? { label: 'Open the listing', url: alert.listing_url } : app,
      }
    case 'sale_refunded':
      return {
        subject: `Refunded before shipping: ${item}`,
        happened,
        doing: 'It stays sold until you answer in Hapax: "I still have it" frees it, "It is gone" keeps it sold.',
        link: app,
      }
    case 'sale_unclear':
      return {
        subject: platform ? `Which item sold on ${where}?` : 'Which item sold?',
        happened,
        doing: 'One press answers.',
        link: { label: 'Choose the item', url: `${config.PUBLIC_URL}/app/#home` },
      }
    case 'relist_unclear':
      return {
        subject: `Which item is listed again on ${where}?`,
        happened,
        doing: 'One press answers.',
        link: { label: 'Choose the item', url: `${config.PUBLIC_URL}/app/#home` },
      }
    case 'relist_offer':
      return {
        subject: `Sale canceled: ${item}`,
        happened,
        doing: 'Open Hapax to list it again.',
        link: app,
      }
    case 'update_refused':
      return {
        subject: `${where} refused your edit: ${item}`,
        happened,
        doing: 'The listing stays as it was until you edit the item again.',
        link: { label: 'Edit the item', url: `${config.PUBLIC_URL}/app/#item/${item_uid}/edit` },
      }
    case 'listing_refused':
      return {
        subject: `Not listed on ${where}: ${item}`,
        happened,
        doing: 'Open the item to change it, or try again.',
        link: { label: 'Open the item', url: `${config.PUBLIC_URL}/app/#item/${item_uid}` },
      }
  }
}
