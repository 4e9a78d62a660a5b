import { hashSecret } from '#server/http/credentials/credentials.ts'
import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import type { Database, Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** The format of a ticket. Other strings are never looked up. */
const format = /^[0-9A-Za-z]{43}$/

/**
 * Issues a ticket with which a browser, which sends no Authorization header, starts connecting a platform. It works
 * once, for 60 s by default. Throws 401 if the account was closed or the session ended meanwhile.
 */
export function issueTicket(
  db: Database,
  holder: RequestCredential,
  platform: string,
  seconds = 60,
): Promise<{ ticket: string; expires_at: string }> {
  return transaction(db, 'issue-ticket', async (tx) => {
    if (!(await reauthorize(tx, holder))) throw problem('unauthenticated')
    const ticket = randomBase62(43)
    const { expires_at } = await tx.one(
      sql.insertTicket({
        user_id: holder.user_id,
        platform,
        ticket_hash: hashSecret(ticket),
        seconds,
      }),
    )
    return { ticket, expires_at }
  })
}

/** Consumes a ticket and returns its holder; null if it is unknown, used, expired or of another platform. */
export async function redeemTicket(
  queries: Queries,
  ticket: string,
  platform: OAuthSlug,
): Promise<RequestCredential | null> {
  if (!format.test(ticket)) return null
  const ticket_hash = hashSecret(ticket)
  const row = await queries.oneOrNone(sql.useTicket({ ticket_hash, platform }))
  return row && { kind: 'ticket', user_id: row.user_id, ticket_hash }
}

/** Returns the address that starts connecting with a ticket. */
export function connectionUrl(publicUrl: string, slug: string, ticket: string): string {
  return `${publicUrl}/accounts/${slug}/login/?ticket=${ticket}`
}
