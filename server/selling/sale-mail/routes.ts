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
    addSaleMailRecipient: async ({ body }, { principal }) => ({
      status: 200,
      body: await addRecipient(services, principal.user_id, body.email),
    }),
    confirmSaleMailRecipient: async ({ body }, { principal }) => ({
      status: 200,
      body: await confirmRecipient(services, principal.user_id, body.token),
    }),
    deleteSaleMailRecipient: async ({ params }, { principal }) => {
      await deleteRecipient(services, principal.user_id, params.email)
      return { status: 204 }
    },
    putSaleMailbox: async ({ body }, { principal, gone }) => ({
      status: 200,
      body: await saveMailbox(services, principal.user_id, body, gone()),
    }),
    deleteSaleMailbox: async (_input, { principal }) => {
      await removeMailbox(services, principal.user_id)
      return { status: 204 }
    },
    listSaleMails: async ({ query }, { principal }) => ({
      status: 200,
      body: await listMails(services, principal.user_id, query),
    }),
    resolveSaleMail: async ({ params, body }, { principal }) => ({
      status: 200,
      body: await resolveMail(services, { user_id: principal.user_id, uid: params.uid }, body.item_uid),
    }),
  }
}
