import { noContent, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { SaleMailOverview, saleMail } from '#shared/contract/selling/sale-mail.ts'
import { PlatformSlug } from '#shared/platforms.ts'
import { readAddress, rotateAddress } from './address.ts'
import { listMails, resolveMail } from './messages.ts'
import * as sql from './queries.ts'
import { addRecipient, confirmRecipient, deleteRecipient } from './recipients.ts'
import { readMailbox, removeMailbox, saveMailbox } from './ways-in/mailbox.ts'

export function saleMailRoutes(services: Services): Handlers<typeof saleMail> {
  const { db } = services
  const overview = async (user_id: number): Promise<SaleMailOverview> => {
    const address = await readAddress(services, db, user_id)
    const recipients = await db.any(sql.listRecipients({ user_id }))
    const last = new Map(
      (await db.any(sql.listLastMails({ user_id }))).map((row) => [row.marketplace, row.last_mail_at]),
    )
    return {
      address,
      recipients: recipients.map(({ email, verified_at }) => ({ email, verified_at })),
      mailbox: await readMailbox(db, user_id),
      marketplaces: PlatformSlug.options.map((slug) => ({ slug, last_mail_at: last.get(slug) ?? null })),
    }
  }
  return {
    readSaleMail: async (_input, { principal }) => ({ status: 200, body: await overview(principal.user_id) }),
    rotateSaleMailAddress: async (_input, { principal }) => {
      await rotateAddress(services, principal.user_id)
      return { status: 200, body: await overview(principal.user_id) }
    },
    addSaleMailRecipient: ({ body }, { principal }) => ok(addRecipient(services, principal.user_id, body.email)),
    confirmSaleMailRecipient: ({ body }, { principal }) =>
      ok(confirmRecipient(services, principal.user_id, body.token)),
    deleteSaleMailRecipient: ({ params }, { principal }) =>
      noContent(deleteRecipient(services, principal.user_id, params.email)),
    putSaleMailbox: ({ body }, { principal, gone }) => ok(saveMailbox(services, principal.user_id, body, gone())),
    deleteSaleMailbox: (_input, { principal }) => noContent(removeMailbox(services, principal.user_id)),
    listSaleMails: ({ query }, { principal }) => ok(listMails(services, principal.user_id, query)),
    resolveSaleMail: ({ params, body }, { principal }) =>
      ok(resolveMail(services, { user_id: principal.user_id, uid: params.uid }, body.item_uid)),
  }
}
