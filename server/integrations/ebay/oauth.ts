import type { z } from 'zod'
import type { Fetch } from '#server/infra/fetch.ts'
import { createAnswerCache } from '../answer-cache.ts'
import { PlatformError } from '../errors.ts'
import { type Exchange, jsonOf } from '../http.ts'
import type { OAuthPort, ShopIdentity, TokenGrant } from '../port.ts'
import { refusalOf } from '../refusal.ts'
import { errorOfAnswer, errorOfOAuth } from './errors.ts'
import { currencyOf, languageHeaders } from './marketplaces.ts'
import { IdentityAnswer, TokenAnswer } from './wire.ts'

/**
 * Scopes of the Trading API (the base scope), policies, orders and notifications. All are requested, so sellers consent
 * once.
 */
export const scopes = [
  'https://api.ebay.com/oauth/api_scope',
  'https://api.ebay.com/oauth/api_scope/sell.account',
  'https://api.ebay.com/oauth/api_scope/sell.fulfillment',
  'https://api.ebay.com/oauth/api_scope/commerce.identity.readonly',
  'https://api.ebay.com/oauth/api_scope/commerce.notification.subscription',
]
/** The scope that some keysets lack. Without it sales are found by polling alone. */
const optionalScope = scopes.at(-1)!
/** How long eBay's word about the keyset is believed. */
const scopesMaxAgeMs = 3_600_000
/** Wait for it, while a seller waits. */
const consentTimeoutMs = 5_000

export interface OAuthOptions {
  clientId: string
  clientSecret: string
  /** eBay's name of our redirect address, sent as `redirect_uri`. */
  ruName: string
  authUrl: string
  apiUrl: string
  apizUrl: string
  exchange: Exchange
  reserve?: Fetch['reserve']
}

/** Creates eBay's OAuth: no PKCE, no revocation, and a refresh token that is constant for 18 months. */
export function createOAuth(options: OAuthOptions): OAuthPort {
  const credentials = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64')
  const cache = createAnswerCache()
  let missingScope: string | null = null

  function consentUrl(state: string, asked: string[]): string {
    const query = new URLSearchParams({
      client_id: options.clientId,
      response_type: 'code',
      redirect_uri: options.ruName,
      scope: asked.join(' '),
      state,
    })
    return `${options.authUrl}/oauth2/authorize?${query}`
  }

  async function token(call: string, form: Record<string, string>): Promise<TokenGrant> {
    const answer = await options.exchange(call, `${options.apiUrl}/identity/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...languageHeaders(),
      },
      body: new URLSearchParams(form).toString(),
    })
    if (answer.status !== 200) throw errorOfOAuth(call, answer)
    const grant = parseAnswer(call, TokenAnswer, jsonOf(answer.text))
    return {
      access_token: grant.access_token,
      refresh_token: grant.refresh_token ?? null,
      expires_in_seconds: grant.expires_in,
      refresh_expires_in_seconds: grant.refresh_token_expires_in ?? null,
      // eBay grants all requested scopes or none, and does not repeat them.
      scopes,
    }
  }

  return {
    pkce: false,

    authorizeUrl: ({ state }) =>
      consentUrl(
        state,
        scopes.filter((scope) => scope !== missingScope),
      ),

    // eBay refuses the whole consent for one scope, on a page that leads nowhere, so it is asked before a seller is.
    async findMissingScope() {
      const read = async () => {
        const signal = AbortSignal.timeout(consentTimeoutMs)
        const answer = await options.exchange('the page of consent', consentUrl('check', scopes), {}, signal)
        return answer.status === 400 && answer.text.includes('invalid_scope') ? optionalScope : null
      }
      missingScope = await cache.read('scopes', scopesMaxAgeMs, read).catch(() => null)
      return missingScope
    },

    async exchangeCode({ code }) {
      const grant = await token('the sign-in', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: options.ruName,
      })
      if (grant.refresh_token) return grant
      throw new PlatformError('ebay', 'malformed', "eBay's answer to the sign-in has no refresh token.")
    },

    refresh(refreshToken) {
      return token('the refresh of its token', { grant_type: 'refresh_token', refresh_token: refreshToken })
    },

    async identify(accessToken): Promise<ShopIdentity> {
      const call = 'the question who the seller is'
      const answer = await options.exchange(call, `${options.apizUrl}/commerce/identity/v1/user/`, {
        headers: { accept: 'application/json', authorization: `Bearer ${accessToken}`, ...languageHeaders() },
      })
      if (answer.status !== 200) throw errorOfAnswer(call, answer)
      const user = parseAnswer(call, IdentityAnswer, jsonOf(answer.text))
      const name = user.username ?? user.userId
      return {
        external_id: user.userId,
        external_name: name,
        url: sellerUrl(options.authUrl, name),
        currency: currencyOf(user.registrationMarketplaceId ?? ''),
      }
    },

    reserveIdentify: async () => options.reserve?.(`${options.apizUrl}/commerce/identity/v1/user/`, 1),
  }
}

/** Returns a seller's public page, on the site that belongs to the sign-in host. */
export function sellerUrl(authUrl: string, username: string): string {
  return `${siteOf(authUrl)}/usr/${encodeURIComponent(username)}`
}

/** Returns the site that belongs to the sign-in host: www.sandbox.ebay.com for auth.sandbox.ebay.com. */
export function siteOf(authUrl: string): string {
  const site = new URL(authUrl)
  site.hostname = site.hostname.replace(/^auth\./, 'www.')
  return site.origin
}

function parseAnswer<Schema extends z.ZodType>(call: string, schema: Schema, body: unknown): z.output<Schema> {
  // A 200 without JSON is a maintenance page or a truncated answer, so a retry may succeed.
  if (body === undefined) {
    throw refusalOf('ebay', 'unavailable', { call, faults: [], logCode: 'not_json' })
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.')
  throw new PlatformError('ebay', 'malformed', `eBay's answer to ${call} is not understood: ${field || 'its shape'}.`)
}
