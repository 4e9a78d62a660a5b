import { identityKey } from '#server/accounts/limits/account-keys.ts'
import { decrypt, encrypt } from '#server/infra/crypto/encrypt.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { type AppleClient, createAppleClient } from './client.ts'
import type { AppleIdentity } from './identity-token.ts'
import * as sql from './queries.ts'
import { releaseIdentityToken, useIdentityToken } from './single-use-token.ts'

const queue = 'apple-revoke'

interface Grant {
  subject: string
  /** Encrypted, in base64. */
  encrypted: string
}

const placeOf = (subject: string) => `social_link/apple/${subject}`

export const encryptedGrants: EncryptedColumn = {
  table: 'social_link',
  column: 'encrypted_refresh_token',
  key: ['provider', 'subject', 'user_id'],
  purpose: 'identity-refresh-token',
  placeOf: ({ subject }) => placeOf(String(subject)),
}

/**
 * Redeems the code of an identity and returns its refresh token, encrypted; null if Apple gives none. Uses the identity
 * token up first, so that one of many concurrent requests continues. If Apple cannot answer, the token becomes usable
 * again. Throws `invalid_identity_token`, `unavailable`.
 */
export async function redeemGrant(
  { config, db }: Services,
  apple: AppleClient,
  identity: AppleIdentity,
  code: string,
): Promise<Buffer | null> {
  await useIdentityToken(db, identity)
  try {
    const { refreshToken } = await apple.redeem(code, identity)
    return refreshToken === null ? null : encrypt(refreshToken, placeOf(identity.subject), identityKey(config))
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'unavailable') await releaseIdentityToken(db, identity)
    throw error
  }
}

/**
 * Enqueues the revocation of an account's grants, which Apple requires, in the transaction that ends their links.
 * Returns whether a link has no token, so that only its owner can end the grant.
 */
export async function revokeGrants(
  { jobs }: Pick<Services, 'jobs'>,
  queries: Queries,
  userId: number,
): Promise<boolean> {
  const links = await queries.any(sql.listGrants({ user_id: userId }))
  for (const { subject, encrypted_refresh_token: token } of links) {
    if (token) await jobs.send(queries, queue, { subject, encrypted: token.toString('base64') } satisfies Grant)
  }
  return links.some(({ encrypted_refresh_token: token }) => token === null)
}

export function revocationJobs(services: Services): JobKind<Grant>[] {
  const apple = createAppleClient(services)
  return [
    {
      queue,
      concurrency: 1,
      retryLimit: 10,
      retryDelaySeconds: 30,
      heartbeatSeconds: 20,
      expireInSeconds: 60,
      async run({ subject, encrypted }) {
        const key = identityKey(services.config)
        await apple?.revoke(decrypt(Buffer.from(encrypted, 'base64'), placeOf(subject), key))
      },
    },
  ]
}
