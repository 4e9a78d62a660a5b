import { hashSecret } from '#server/http/credentials.ts'
import { type RequestCredential, reauthorize } from '#server/http/reauthorize.ts'
import { type Database, type Queries, sql } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

const insertTicket = sql(import.meta.url, './sql/insert-ticket.sql')
const consumeTicket = sql(import.meta.url, './sql/use-ticket.sql')

/** A ticket's form: what cannot be one is never looked up. */
const form = /^[0-9A-Za-z]{43}$/

/**
 * A ticket that lets a browser, which has no Authorization header, start connecting one platform for this account: single
 * use, 60 s unless told (decisions 5). Throws 401 when the account has been closed, or the session has ended, meanwhile.
 */
export function issueTicket(
  db: Database,
  holder: RequestCredential,
  platform: string,
  seconds = 60,
): Promise<{ ticket: string; expires_at: string }> {
  return db.tx('issue-ticket', async (tx) => {
    if (!(await reauthorize(tx, holder))) throw problem('unauthenticated')
    const ticket = randomBase62(43)
    const { expires_at } = await tx.one<{ expires_at: string }>(insertTicket, {
      user_id: holder.user_id,
      platform,
      ticket_hash: hashSecret(ticket),
      seconds,
    })
    return { ticket, expires_at }
  })
}

/** Whose ticket this is; null when it is unknown, used, too old or another platform's. It is used up by asking. */
export async function redeemTicket(
  queries: Queries,
  ticket: string,
  platform: OAuthSlug,
): Promise<RequestCredential | null> {
  if (!form.test(ticket)) return null
  const ticket_hash = hashSecret(ticket)
  const row = await queries.oneOrNone<{ user_id: number }>(consumeTicket, { ticket_hash, platform })
  return row && { kind: 'ticket', user_id: row.user_id, ticket_hash }
}

/** The address that starts connecting with a ticket. */
export function connectionUrl(publicUrl: string, slug: string, ticket: string): string {
  return `${publicUrl}/accounts/${slug}/login/?ticket=${ticket}`
}
