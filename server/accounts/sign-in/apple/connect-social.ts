import { isReserved } from '#server/accounts/contact/reserved-contacts.ts'
import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { identityLinkedMail } from '#server/infra/mail-sms/templates.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { Services } from '#server/services.ts'
import type { AppleClient } from './client.ts'
import { redeemGrant } from './grants.ts'
import { type AppleIdentity, identityRefused } from './identity-token.ts'
import * as sql from './queries.ts'
import { useIdentityToken } from './single-use-token.ts'

interface SocialIdentity {
  provider: 'apple' | 'ebay' | 'etsy'
  token: string
  /** Of Apple only. */
  authorization_code?: string
}

const names = { apple: 'Apple', ebay: 'eBay', etsy: 'Etsy' }

/**
 * Links an identity of another service to the account; idempotent. With the code of Apple the grant is kept, so that it
 * is revoked when the link ends. An identity that another account has or had is 409, without naming it. Throws `invalid_identity_token`, `identity_in_use`, `platform_not_configured`, `platform_failed`,
 * `unavailable`.
 */
export async function connectSocial(
  services: Services,
  apple: AppleClient | null,
  holder: RequestCredential,
  given: SocialIdentity,
): Promise<void> {
  const userId = holder.user_id
  const { provider, authorization_code: code } = given
  const { subject, identity } = await identify(services, apple, given)
  const grant = apple && identity && code ? await redeemGrant(services, apple, identity, code) : null
  await transaction(services.db, 'connect-social', async (tx) => {
    // Lock the identity before the account, as a sign-in does, to avoid a deadlock.
    await tx.one(sql.lockIdentity({ provider, subject }))
    const user = await reauthorize(tx, holder)
    if (!user) throw problem('unauthenticated')
    if (identity && !code) await useIdentityToken(tx, identity)
    if (await isReserved(services.config, tx, [{ provider, subject }])) throw identityInUse(names[provider])
    const link = { user_id: userId, provider, subject, encrypted_refresh_token: grant }
    if (!(await tx.oneOrNone(sql.insertLink(link)))) {
      const known = await tx.oneOrNone(sql.findLink({ provider, subject }))
      if (known?.user_id !== userId || !known.live) throw identityInUse(names[provider])
      if (grant) await tx.none(sql.storeRefreshToken(link))
      return
    }
    if (user.email === null) return
    await enqueueMessage(services, tx, {
      template: 'identity-linked',
      user_id: userId,
      message: identityLinkedMail(user.email, names[provider], services.config.PUBLIC_URL),
      expiresInSeconds: 86_400,
    })
  })
}

/**
 * Returns the error for an identity of another account, which may be closed. A first sign-in with an Apple address that
 * hides the person's own makes such an account, so the sentence says how its owner goes on.
 */
const identityInUse = (provider: string) =>
  problem(
    'identity_in_use',
    `This ${provider} account is linked to another Hapax account, and cannot move to this one. Sign in here by email or phone. Close the other account if you do not need it.`,
  )

/** Asks the provider for the identity of a token. */
async function identify(
  services: Services,
  apple: AppleClient | null,
  { provider, token }: SocialIdentity,
): Promise<{ subject: string; identity: AppleIdentity | null }> {
  if (provider === 'apple') {
    if (!apple) throw problem('platform_not_configured')
    const identity = await apple.read(token)
    return { subject: identity.subject, identity }
  }
  const adapter = services.platforms.get(provider)
  if (!adapter) throw problem('platform_not_configured')
  // The token becomes a header of a request, so refuse control characters.
  if (!/^[\x21-\x7e]+$/.test(token)) throw identityRefused()
  try {
    return { subject: (await adapter.oauth.identify(token)).external_id, identity: null }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.retryable) {
      const retryAfterSeconds = (error.retryAfterMs ?? 10_000) / 1_000
      throw problem('unavailable', undefined, { retryAfterSeconds, cause: error })
    }
    if (error.failure === 'malformed') throw problem('platform_failed', undefined, { cause: error })
    throw identityRefused(error)
  }
}
