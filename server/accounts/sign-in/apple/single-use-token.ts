import type { Queries } from '#server/infra/db/index.ts'
import { type AppleIdentity, identityRefused } from './identity-token.ts'
import * as sql from './queries.ts'

/** Uses up an identity token: each signs in or links once. Throws `invalid_identity_token` at the second use. */
export async function useIdentityToken(queries: Queries, identity: AppleIdentity): Promise<void> {
  const noted = await queries.oneOrNone(
    sql.recordIdentityToken({ token_hash: identity.tokenHash, expires_at: identity.expiresAt.toISOString() }),
  )
  if (!noted) throw identityRefused()
}

/** Makes a token usable again after a failure that was not the caller's fault. */
export async function releaseIdentityToken(queries: Queries, identity: AppleIdentity): Promise<void> {
  await queries.none(sql.deleteIdentityToken({ token_hash: identity.tokenHash }))
}
