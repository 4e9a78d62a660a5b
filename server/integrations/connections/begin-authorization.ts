import { createHash } from 'node:crypto'
import { hashSecret } from '#server/http/credentials.ts'
import { type RequestCredential, reauthorize } from '#server/http/reauthorize.ts'
import { encrypt, encryptionKey } from '#server/infra/crypto/encrypt.ts'
import { sql } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { randomBase62 } from '#shared/identity.ts'
import { callbackUrl } from './find-connectable.ts'

const insertState = sql(import.meta.url, './sql/insert-state.sql')

/**
 * Starts an authorization (decisions 5): the address to send the seller's browser to. Its `state` is bound to the user,
 * the platform and the browser (`browser`: the value of its cookie), for ten minutes and one use; with PKCE S256 where
 * the platform has it. Throws 401 when the account has been closed, or what let the seller in has ended, meanwhile.
 */
export async function beginAuthorization(
  services: Services,
  adapter: PlatformAdapter,
  holder: RequestCredential,
  browser: string,
): Promise<string> {
  const state = randomBase62(43)
  const stateHash = hashSecret(state)
  const verifier = adapter.oauth.pkce ? randomBase62(64) : null
  await services.db.tx('begin-authorization', async (tx) => {
    if (!(await reauthorize(tx, holder))) throw problem('unauthenticated')
    await tx.none(insertState, {
      user_id: holder.user_id,
      state_hash: stateHash,
      platform: adapter.slug,
      browser_hash: hashSecret(browser),
      encrypted_code_verifier: verifier && encrypt(verifier, verifierPlace(stateHash), verifierKey(services.config)),
    })
  })
  return adapter.oauth.authorizeUrl({
    state,
    redirectUri: callbackUrl(services.config.PUBLIC_URL, adapter.slug),
    codeChallenge: verifier && createHash('sha256').update(verifier).digest('base64url'),
  })
}

/** The key that PKCE verifiers are encrypted with while the seller is away. */
export const verifierKey = (config: Services['config']) => encryptionKey(config, 'pkce-verifier')

/** Where a verifier belongs: to its one state. */
export const verifierPlace = (stateHash: Buffer) => `oauth_state/${stateHash.toString('hex')}/verifier`
