import { open } from '#server/crypto/seal.ts'
import { sql } from '#server/db/index.ts'
import { hashSecret } from '#server/http/credentials.ts'
import { HttpProblem } from '#server/http/errors.ts'
import { PlatformError } from '#server/platforms/errors.ts'
import type { PlatformAdapter, ShopIdentity, TokenGrant } from '#server/platforms/port.ts'
import { inLane } from '#server/platforms/quota/index.ts'
import type { Services } from '#server/services.ts'
import { verifierKey, verifierPlace } from './begin-authorization.ts'
import { callbackUrl } from './find-connectable.ts'
import { storeConnection } from './store-connection.ts'

const useState = sql(import.meta.url, './sql/use-state.sql')

/** What came back with the browser. Nothing of it is ever shown or logged. */
export interface CallbackInput {
  state: string | null
  code: string | null
  error: string | null
  /** RFC 9207; most platforms do not send it. */
  iss: string | null
  /** The value of the browser's cookie. */
  browser: string | null
}

/**
 * - `state_invalid`: missing, used, too old, another browser's, another platform's, or the account is closed
 * - `declined`: the seller did not agree, or the platform refused to ask
 * - `mixed_up`: the answer says that it is of another issuer
 * - `refused`: the platform did not take the code; `failed`: it did not answer as it should; `try_later`
 */
export type CallbackOutcome =
  | { outcome: 'connected'; shop: ShopIdentity; accountName: string }
  | { outcome: 'shop_in_use'; shop: ShopIdentity }
  | { outcome: 'state_invalid' | 'declined' | 'mixed_up' | 'refused' | 'failed' | 'try_later' }

/**
 * Ends an authorization (decisions 5; threats T68, T71, T72). The state is used up before anything else, in one
 * statement: of any number of parallel callbacks one goes on to exchange the code.
 */
export async function finishAuthorization(
  services: Services,
  adapter: PlatformAdapter,
  given: CallbackInput,
): Promise<CallbackOutcome> {
  if (!isText(given.state, 100) || !isText(given.browser, 100)) return { outcome: 'state_invalid' }
  const stateHash = hashSecret(given.state)
  const begun = await services.db.oneOrNone<{
    user_id: number
    sealed_code_verifier: Buffer | null
    account_name: string
  }>(useState, { state_hash: stateHash, platform: adapter.slug, browser_hash: hashSecret(given.browser) })
  if (!begun) return { outcome: 'state_invalid' }
  if (given.error !== null) return { outcome: 'declined' }
  const redirectUri = callbackUrl(services.config.PUBLIC_URL, adapter.slug)
  if (given.iss !== null && !isIssuer(adapter, given.iss, redirectUri)) return { outcome: 'mixed_up' }
  if (!isText(given.code, 8_000)) return { outcome: 'refused' }

  let shop: ShopIdentity
  let grant: TokenGrant
  try {
    const { code } = given
    const codeVerifier =
      begun.sealed_code_verifier &&
      open(begun.sealed_code_verifier, verifierPlace(stateHash), verifierKey(services.config))
    // A seller waits, and the code works once: this does not stand behind imports.
    ;({ grant, shop } = await inLane('list', async () => {
      const granted = await adapter.oauth.exchangeCode({ code, redirectUri, codeVerifier })
      return { grant: granted, shop: await adapter.oauth.identify(granted.access_token) }
    }))
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, platform: adapter.slug, failure: error.failure }, 'a shop could not be connected')
    return { outcome: outcomeOf(error) }
  }
  try {
    const admission = { kind: 'authorization', user_id: begun.user_id, state_hash: stateHash } as const
    await storeConnection(services, { user_id: begun.user_id, platform: adapter.slug, shop, grant, admission })
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'shop_in_use') return { outcome: 'shop_in_use', shop }
    if (error instanceof HttpProblem && error.code === 'unauthenticated') return { outcome: 'state_invalid' }
    throw error
  }
  return { outcome: 'connected', shop, accountName: begun.account_name }
}

function outcomeOf(error: PlatformError): 'refused' | 'failed' | 'try_later' {
  if (error.retryable) return 'try_later'
  return error.failure === 'malformed' ? 'failed' : 'refused'
}

function isText(value: string | null, maxLength: number): value is string {
  return value !== null && value !== '' && value.length <= maxLength
}

/** An `iss` has to be the server that the seller was sent to. */
function isIssuer(adapter: PlatformAdapter, iss: string, redirectUri: string): boolean {
  const asked = adapter.oauth.authorizeUrl({ state: '-', redirectUri, codeChallenge: adapter.oauth.pkce ? '-' : null })
  return URL.canParse(iss) && new URL(iss).origin === new URL(asked).origin
}
