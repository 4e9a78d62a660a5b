import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { tryLimit } from '#server/accounts/limits/event-limits.ts'
import { hashSecret, newSecret, secretKind } from '#server/http/credentials/credentials.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

type MailboxPurpose = 'reset' | 'verify'

const rules = {
  reset: { prefix: 'hpxr', seconds: 30 * 60 },
  verify: { prefix: 'hpxv', seconds: 24 * 3600 },
} as const

export const mailboxTokenSeconds = (purpose: MailboxPurpose) => rules[purpose].seconds

/** Returns a new value for a link; stored by `storeMailboxToken`. */
export const newMailboxToken = (purpose: MailboxPurpose) => newSecret(rules[purpose].prefix)

export async function storeMailboxToken(
  queries: Queries,
  purpose: MailboxPurpose,
  token: string,
  holder: { user_id: number; email: string },
): Promise<void> {
  await queries.none(
    sql.insertMailboxToken({
      ...holder,
      purpose,
      token_hash: hashSecret(token),
      expires_in: rules[purpose].seconds,
    }),
  )
}

/** The account that a link was sent to. */
interface MailboxHolder {
  user_id: number
  email: string
  /** Verified before this link is used. */
  email_verified: boolean
  is_secured: boolean
  has_password: boolean
}

/** Ends the links of one purpose, or all. */
export async function deleteMailboxTokens(
  queries: Queries,
  userId: number,
  purpose: MailboxPurpose | null = null,
): Promise<void> {
  await queries.none(sql.deleteMailboxTokens({ user_id: userId, purpose }))
}

/**
 * Returns the account of a link without using it up. Throws `code_invalid` for a wrong, used, expired or foreign link
 * alike; `rate_limited` when one address keeps guessing.
 */
export async function readMailboxToken(
  services: Services,
  purpose: MailboxPurpose,
  token: string,
  address: string,
): Promise<MailboxHolder> {
  const wellFormed = secretKind(token) === rules[purpose].prefix
  const known = wellFormed
    ? await services.db.oneOrNone(sql.findMailboxToken({ purpose, token_hash: hashSecret(token) }))
    : null
  if (!known) await countGuess(services, address)
  if (!known?.live) throw linkInvalid()
  const { live: _, ...holder } = known
  return holder
}

/** Uses up a link in the transaction of its effect. Throws `code_invalid` if another request was faster. */
export async function useMailboxToken(queries: Queries, userId: number, token: string): Promise<{ email: string }> {
  const used = await queries.oneOrNone(sql.useMailboxToken({ user_id: userId, token_hash: hashSecret(token) }))
  if (!used) throw linkInvalid()
  return used
}

export const linkInvalid = () =>
  problem('code_invalid', 'This link does not work: it was used, has expired, or is not complete. Ask for a new one.')

/** Counts an unknown token as a guess; used and expired ones are honest mistakes. */
async function countGuess({ config, db, limits }: Services, address: string): Promise<void> {
  const allowed = [{ max: limits.unknownTokensPerMinute, seconds: 60 }]
  const wait = await tryLimit(db, 'unknown-token', limitSubject(config, address), allowed)
  if (wait !== null) throw problem('rate_limited', undefined, { retryAfterSeconds: wait })
}
