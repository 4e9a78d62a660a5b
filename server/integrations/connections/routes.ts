import { noContent, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { connections } from '#shared/contract/connections.ts'
import { disconnect } from './disconnect.ts'
import { findConnectable } from './find-connectable.ts'
import { listPlatforms } from './list-platforms.ts'
import { listSellerAccounts } from './list-seller-accounts.ts'
import { connectionUrl, issueTicket } from './ticket.ts'

export function connectionsRoutes(services: Services): Handlers<typeof connections> {
  const { db, config } = services
  return {
    listPlatforms: async (_input, { principal }) => ({ status: 200, body: await listPlatforms(db, principal.user_id) }),

    startConnection: async ({ params }, { principal }) => {
      findConnectable(services, params.slug)
      const { ticket, expires_at } = await issueTicket(db, principal, params.slug)
      return {
        status: 200,
        body: { connection_url: connectionUrl(config.PUBLIC_URL, params.slug, ticket), expires_at },
      }
    },

    listSellerAccounts: (_input, { principal }) => ok(listSellerAccounts(db, principal.user_id)),

    disconnectSellerAccount: ({ params }, { principal }) =>
      noContent(disconnect(services, { user_id: principal.user_id, seller_account_uid: params.uid })),
  }
}
