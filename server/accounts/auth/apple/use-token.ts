import { type Queries, sql } from '#server/infra/db/index.ts'
import { type AppleIdentity, identityRefused } from './identity-token.ts'

const noteToken = sql(import.meta.url, './sql/record-identity-token.sql')
const forgetToken = sql(import.meta.url, './sql/delete-identity-token.sql')

/** Uses an identity token up: each signs in or links once. Throws `invalid_identity_token` at the second use. */
export async function useIdentityToken(queries: Queries, identity: AppleIdentity): Promise<void> {
  const noted = await queries.oneOrNone(noteToken, {
    token_hash: identity.tokenHash,
    expires_at: identity.expiresAt.toISOString(),
  })
  if (!noted) throw identityRefused()
}

/** An identity token whose use came to nothing through no fault of the caller's: it may be shown again. */
export async function forgetIdentityToken(queries: Queries, identity: AppleIdentity): Promise<void> {
  await queries.none(forgetToken, { token_hash: identity.tokenHash })
}
