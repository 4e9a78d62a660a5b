import { hashSecret } from '#server/http/credentials/credentials.ts'
import { decrypt } from '#server/infra/crypto/encrypt.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PlatformAdapter, ShopIdentity, TokenGrant } from '#server/integrations/port.ts'
import { withPriority, withReservedCalls } from '#server/integrations/quota/index.ts'
import type { Services } from '#server/services.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { verifierAad, verifierKey } from './begin-authorization.ts'
import { callbackUrl } from './find-connectable.ts'
import * as sql from './queries.ts'
import { storeConnection } from './store-connection.ts'

/** The browser's callback. It is never shown or logged. */
interface CallbackInput {
  state: string | null
  code: string | null
  error: string | null
  /** RFC 9207; most platforms do not send it. */
  iss: string | null
  /** The value of the browser's cookie. */
  browser: string | null
}

/**
 * - `finished_before`: the page of a shop that was just connected is loaded again; nothing is exchanged
 * - `state_invalid`: missing, used, expired, of another browser or platform, or the account is closed
 * - `declined`: the seller declined
 * - `mixed_up`: the response names another issuer
 * - `refused`: the platform rejected the code; `failed`: its answer was malformed; `try_later`: it did not answer; each
 *   with `why`, a sentence for the seller
 * - `busy`: our calls to the platform are used up; the code is unused, and the same callback works later
 */
export type CallbackOutcome =
  | { outcome: 'connected'; shop: ShopIdentity; accountName: string; user_id: number; seller_account_uid: string }
  | { outcome: 'finished_before'; shop: Pick<ShopIdentity, 'external_name'>; accountName: string }
  | { outcome: 'shop_in_use'; shop: ShopIdentity }
  | { outcome: 'busy'; retryAfterSeconds: number }
  | { outcome: 'state_invalid' | 'declined' | 'mixed_up' }
  | { outcome: 'refused' | 'failed' | 'try_later'; why: string | null }

/**
 * Finishes an authorization. First reserves the calls that follow the code. If none are left, state and code stay
 * unused and the same callback works later. One statement then consumes the state, so that only one of several parallel
 * callbacks exchanges the code.
 */
export function finishAuthorization(
  services: Services,
  adapter: PlatformAdapter,
  callback: CallbackInput,
): Promise<CallbackOutcome> {
  // The seller is waiting, so this has priority over imports and order reads.
  return withPriority('screen', () =>
    withReservedCalls(async () => {
      const { state, browser } = callback
      if (!isText(state, 100) || !isText(browser, 100)) return { outcome: 'state_invalid' }
      const key = { state_hash: hashSecret(state), platform: adapter.slug, browser_hash: hashSecret(browser) }
      if (callback.error === null && (await services.db.oneOrNone(sql.findState(key)))) {
        const waitMs = await reserveCalls(adapter)
        if (waitMs !== null) return { outcome: 'busy', retryAfterSeconds: Math.ceil(waitMs / 1_000) }
      }
      return redeem(services, adapter, callback, key)
    }),
  )
}

/** Reserves the calls that follow the code. Returns the wait in ms if none are left; null on success. */
async function reserveCalls({ oauth }: PlatformAdapter): Promise<number | null> {
  try {
    await oauth.reserveIdentify?.()
    return null
  } catch (error) {
    if (error instanceof PlatformError && error.failure === 'rate_limited') return error.retryAfterMs ?? 1_000
    throw error
  }
}

interface StateKey {
  state_hash: Buffer
  platform: OAuthSlug
  browser_hash: Buffer
}

async function findFinished({ db }: Services, key: StateKey): Promise<CallbackOutcome | null> {
  const found = await db.oneOrNone(sql.findFinished(key))
  return found && { outcome: 'finished_before', shop: found, accountName: found.account_name }
}

async function redeem(
  services: Services,
  adapter: PlatformAdapter,
  callback: CallbackInput,
  key: StateKey,
): Promise<CallbackOutcome> {
  const stateHash = key.state_hash
  const authorization = await services.db.oneOrNone(sql.useState(key))
  if (!authorization)
    return (callback.error === null && (await findFinished(services, key))) || { outcome: 'state_invalid' }
  if (callback.error !== null) return explained(services, adapter, outcomeOfError(adapter.slug, callback.error))
  const redirectUri = callbackUrl(services.config.PUBLIC_URL, adapter.slug)
  if (callback.iss !== null && !isIssuer(adapter, callback.iss, redirectUri)) return { outcome: 'mixed_up' }
  if (!isText(callback.code, 8_000)) return { outcome: 'refused', why: null }

  let shop: ShopIdentity
  let grant: TokenGrant
  try {
    const { code } = callback
    const codeVerifier =
      authorization.encrypted_code_verifier &&
      decrypt(authorization.encrypted_code_verifier, verifierAad(stateHash), verifierKey(services.config))
    grant = await adapter.oauth.exchangeCode({ code, redirectUri, codeVerifier })
    shop = await adapter.oauth.identify(grant.access_token)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, platform: adapter.slug, failure: error.failure }, 'a shop could not be connected')
    return explained(services, adapter, { outcome: outcomeOf(error), why: error.message })
  }
  try {
    const credential = { kind: 'authorization', user_id: authorization.user_id, state_hash: stateHash } as const
    const stored = await storeConnection(services, {
      user_id: authorization.user_id,
      platform: adapter.slug,
      shop,
      grant,
      credential,
    })
    return {
      outcome: 'connected',
      shop,
      accountName: authorization.account_name,
      user_id: authorization.user_id,
      ...stored,
    }
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'shop_in_use') return { outcome: 'shop_in_use', shop }
    if (error instanceof HttpProblem && error.code === 'unauthenticated') return { outcome: 'state_invalid' }
    throw error
  }
}

/** Adds to a refusal that the app has all shops it may connect: no platform says so in known words. */
async function explained(
  { db, log }: Services,
  { slug: platform, oauth: { mostShops } }: PlatformAdapter,
  outcome: CallbackOutcome,
): Promise<CallbackOutcome> {
  if (outcome.outcome !== 'refused' || !mostShops) return outcome
  const { shops } = await db.one(sql.countAppShops({ platform }))
  if (shops < mostShops.count) return outcome
  log.warn({ platform, shops }, mostShops.why)
  return { ...outcome, why: [mostShops.why, outcome.why].filter(Boolean).join(' ') }
}

/** Returns the outcome for the code of RFC 6749 4.1.2.1 in the address. Other texts there are not shown. */
function outcomeOfError(slug: OAuthSlug, code: string): CallbackOutcome {
  if (code === 'access_denied') return { outcome: 'declined' }
  if (code === 'server_error' || code === 'temporarily_unavailable') return { outcome: 'try_later', why: null }
  const isOurs = ['invalid_request', 'invalid_scope', 'unauthorized_client', 'unsupported_response_type'].includes(code)
  const { name } = platformOf(slug)
  const why = `The operator of this server has to check its keys of ${name} (${name} error ${code}).`
  return { outcome: 'refused', why: isOurs ? why : null }
}

function outcomeOf(error: PlatformError): 'refused' | 'failed' | 'try_later' {
  if (error.retryable) return 'try_later'
  return error.failure === 'malformed' ? 'failed' : 'refused'
}

function isText(value: string | null, maxLength: number): value is string {
  return value !== null && value !== '' && value.length <= maxLength
}

/** Returns true if `iss` is the server that the seller was sent to. */
function isIssuer(adapter: PlatformAdapter, iss: string, redirectUri: string): boolean {
  const authorizeUrl = adapter.oauth.authorizeUrl({
    state: '-',
    redirectUri,
    codeChallenge: adapter.oauth.pkce ? '-' : null,
  })
  return URL.canParse(iss) && new URL(iss).origin === new URL(authorizeUrl).origin
}
