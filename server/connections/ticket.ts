import { type Queries, sql } from '#server/db/index.ts'
import { hashSecret } from '#server/http/credentials.ts'
import { problem } from '#server/http/errors.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

const insertTicket = sql(import.meta.url, './sql/insert-ticket.sql')
const consumeTicket = sql(import.meta.url, './sql/use-ticket.sql')

/** A ticket's form: what cannot be one is never looked up. */
const form = /^[0-9A-Za-z]{43}$/

/**
 * A ticket that lets a browser, which has no Authorization header, start connecting one platform for this account: single
 * use, 60 s (decisions 5; threats T70). Throws 401 when the account has been closed meanwhile.
 */
export async function issueTicket(
  queries: Queries,
  holder: { user_id: number; platform: string },
): Promise<{ ticket: string; expires_at: string }> {
  const ticket = randomBase62(43)
  const row = await queries.oneOrNone<{ expires_at: string }>(insertTicket, {
    ...holder,
    ticket_hash: hashSecret(ticket),
  })
  if (!row) throw problem('unauthenticated')
  return { ticket, expires_at: row.expires_at }
}

/** Whose ticket this is; null when it is unknown, used, too old or another platform's. It is used up by asking. */
export async function redeemTicket(queries: Queries, ticket: string, platform: OAuthSlug): Promise<number | null> {
  if (!form.test(ticket)) return null
  const row = await queries.oneOrNone<{ user_id: number }>(consumeTicket, { ticket_hash: hashSecret(ticket), platform })
  return row?.user_id ?? null
}

/** The address that starts connecting with a ticket. */
export function connectionUrl(publicUrl: string, slug: string, ticket: string): string {
  return `${publicUrl}/accounts/${slug}/login/?ticket=${ticket}`
}
