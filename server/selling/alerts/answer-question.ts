import type { Queries } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { nameRelistedItem } from '#server/selling/listings/reconcile/join-relisting.ts'
import { type AskedMail, reopenMail, resolveMail } from '#server/selling/sale-mail/messages.ts'
import { reopenQuestion } from '#server/selling/sales/ask-which-item.ts'
import { nameSoldItem } from '#server/selling/sales/name-sold-item.ts'
import type { Services } from '#server/services.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { readAlert } from './list-alerts.ts'
import * as sql from './queries.ts'

/**
 * Takes the seller's answer to the question which item was sold or listed again; null for none. Repeating it changes nothing. Throws 404;
 * 409 `conflict` for an alert that asks nothing, and `already_resolved` after another answer; 400 for an item that cannot
 * be it.
 */
export async function answerQuestion(
  services: Services,
  alert: { user_id: number; uid: string },
  item_uid: string | null,
): Promise<Alert> {
  const { db, config } = services
  const question = await db.oneOrNone(sql.findQuestion(alert))
  if (!question) throw notFound()
  if (question.kind === 'relist_unclear') {
    await nameRelistedItem(services, alert, item_uid)
    return readAlert(db, config, alert)
  }
  if (question.kind !== 'sale_unclear') throw problem('conflict', 'This alert asks for no item.')
  const { user_id } = alert
  const { reference, data } = question
  const { sale_mail_uid: uid } = data
  const change_uid =
    uid === undefined
      ? await nameSoldItem(services, { user_id, reference }, item_uid)
      : (await resolveMail(services, { user_id, uid }, item_uid, 'any')).change_uid
  return { ...(await readAlert(db, config, alert)), ...(change_uid && { change_uid }) }
}

/** Asks again what the seller has answered about a mail, in the caller's transaction. `before`: the mail as it was then. */
export async function askAgain(
  tx: Queries,
  { user_id, reference, before }: { user_id: number; reference: string; before: object },
): Promise<void> {
  await reopenMail(tx, { user_id, uid: reference, ...(before as AskedMail) })
  await reopenQuestion(tx, { user_id, reference })
}
