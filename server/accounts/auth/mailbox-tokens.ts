import { hashSecret, newSecret, secretKind } from '#server/http/credentials.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from './account-keys.ts'
import { tryAdmit } from './admit.ts'

const insertToken = sql(import.meta.url, './sql/insert-mailbox-token.sql')
const findToken = sql(import.meta.url, './sql/find-mailbox-token.sql')
const useToken = sql(import.meta.url, './sql/use-mailbox-token.sql')
const deleteTokens = sql(import.meta.url, './sql/delete-mailbox-tokens.sql')

export type MailboxPurpose = 'reset' | 'verify'

const rules = {
  reset: { prefix: 'hpxr', seconds: 30 * 60 },
  verify: { prefix: 'hpxv', seconds: 24 * 3600 },
} as const

export const mailboxTokenSeconds = (purpose: MailboxPurpose) => rules[purpose].seconds

/** A new value for a link; stored by `storeMailboxToken`. */
export const newMailboxToken = (purpose: MailboxPurpose) => newSecret(rules[purpose].prefix)

export async function storeMailboxToken(
  queries: Queries,
  purpose: MailboxPurpose,
  token: string,
  holder: { user_id: number; email: string },
): Promise<void> {
  await queries.none(insertToken, {
    ...holder,
    purpose,
    token_hash: hashSecret(token),
    expires_in: rules[purpose].seconds,
  })
}

/** Whom a link was sent to. */
export interface MailboxHolder {
  user_id: number
  email: string
  /** Proven before this link is used. */
  email_verified: boolean
  is_secured: boolean
  has_password: boolean
}

/** Ends the links of one purpose, or of all. */
export async function deleteMailboxTokens(
  queries: Queries,
  userId: number,
  purpose: MailboxPurpose | null = null,
): Promise<void> {
  await queries.none(deleteTokens, { user_id: userId, purpose })
}

/**
 * Whom a link was sent to, without using it up. Throws `code_invalid`, the same for a wrong, used, old or foreign one;
 * `rate_limited` when one address keeps guessing.
 */
export async function readMailboxToken(
  services: Services,
  purpose: MailboxPurpose,
  token: string,
  address: string,
): Promise<MailboxHolder> {
  const wellFormed = secretKind(token) === rules[purpose].prefix
  const known = wellFormed
    ? await services.db.oneOrNone<MailboxHolder & { live: boolean }>(findToken, {
        purpose,
        token_hash: hashSecret(token),
      })
    : null
  if (!known) await countGuess(services, address)
  if (!known?.live) throw linkInvalid()
  const { live: _, ...holder } = known
  return holder
}

/** Uses a link up, in the transaction of what it allows. Throws `code_invalid` when another was faster. */
export async function useMailboxToken(queries: Queries, userId: number, token: string): Promise<{ email: string }> {
  const used = await queries.oneOrNone<{ email: string }>(useToken, { user_id: userId, token_hash: hashSecret(token) })
  if (!used) throw linkInvalid()
  return used
}

export const linkInvalid = () =>
  problem('code_invalid', 'This link does not work: it was used, has expired, or is not complete. Ask for a new one.')

/** A token that never existed is a guess; one that was used or has expired is an honest mistake and does not count. */
async function countGuess({ config, db, limits }: Services, address: string): Promise<void> {
  const allowed = [{ max: limits.unknownTokensPerMinute, seconds: 60 }]
  const wait = await tryAdmit(db, 'unknown-token', limitSubject(config, address), allowed)
  if (wait !== null) throw problem('rate_limited', undefined, { retryAfterSeconds: wait })
}
