import { createHash } from 'node:crypto'
import { hashSecret } from '#server/http/credentials/credentials.ts'
import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import { encrypt, encryptionKey } from '#server/infra/crypto/encrypt.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { randomBase62 } from '#shared/identity.ts'
import { callbackUrl } from './find-connectable.ts'
import * as sql from './queries.ts'

/**
 * Starts an authorization and returns the address to send the seller's browser to. Its `state` works once within ten
 * minutes, for this user, platform and browser. `browser` is the value of the browser's cookie. `isApp`: the seller
 * returns to the web app afterwards. PKCE S256 is used where the platform supports it. Throws 401 if the account was
 * closed or the holder's credential ended meanwhile.
 */
export async function beginAuthorization(
  services: Services,
  adapter: PlatformAdapter,
  holder: RequestCredential,
  browser: string,
  isApp = false,
): Promise<string> {
  const state = (isApp ? appMark : '') + randomBase62(43)
  const stateHash = hashSecret(state)
  const verifier = adapter.oauth.pkce ? randomBase62(64) : null
  await transaction(services.db, 'begin-authorization', async (tx) => {
    if (!(await reauthorize(tx, holder))) throw problem('unauthenticated')
    await tx.none(
      sql.insertState({
        user_id: holder.user_id,
        state_hash: stateHash,
        platform: adapter.slug,
        browser_hash: hashSecret(browser),
        encrypted_code_verifier:
          verifier === null ? null : encrypt(verifier, verifierAad(stateHash), verifierKey(services.config)),
      }),
    )
  })
  await adapter.oauth.findMissingScope?.()
  return adapter.oauth.authorizeUrl({
    state,
    redirectUri: callbackUrl(services.config.PUBLIC_URL, adapter.slug),
    codeChallenge: verifier && createHash('sha256').update(verifier).digest('base64url'),
  })
}

/** Marks the state of an authorization that leads back to the web app. Nobody can add it: the whole state is checked. */
const appMark = 'app-'

/** Returns whether a state that was accepted leads back to the web app. */
export const isFromApp = (state: string): boolean => state.startsWith(appMark)

/** Returns the key that encrypts PKCE verifiers until the callback. */
export const verifierKey = (config: Services['config']) => encryptionKey(config, 'pkce-verifier')

/** Returns the AAD that binds an encrypted verifier to its state. */
export const verifierAad = (stateHash: Buffer) => `oauth_state/${stateHash.toString('hex')}/verifier`
