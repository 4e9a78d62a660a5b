import type { Fetch } from '#server/infra/fetch.ts'
import { PlatformError } from '../errors.ts'
import type { Exchange } from '../http.ts'
import type { OAuthPort, TokenGrant } from '../port.ts'
import { type Etsy, parseAnswer } from './client.ts'
import { errorOfOAuth } from './errors.ts'
import { SelfAnswer, ShopAnswer, TokenAnswer } from './wire.ts'

/** Scopes for reading the shop, listing and orders, so that sellers consent once. */
const scopes = ['listings_r', 'listings_w', 'listings_d', 'shops_r', 'transactions_r', 'transactions_w']

const refreshSeconds = 90 * 86_400

export interface OAuthOptions {
  /** The app's keystring. */
  clientId: string
  authUrl: string
  apiUrl: string
  exchange: Exchange
  etsy: Etsy
  reserve?: Fetch['reserve']
}

/**
 * Creates Etsy's OAuth: PKCE instead of a client secret, access tokens for an hour, and single-use
 * refresh tokens for 90 days. Etsy has no revocation.
 */
export function createOAuth({ clientId, authUrl, apiUrl, exchange, etsy, reserve }: OAuthOptions): OAuthPort {
  async function token(call: string, form: Record<string, string>): Promise<TokenGrant> {
    const answer = await exchange(call, `${apiUrl}/v3/public/oauth/token`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, client_id: clientId }).toString(),
    })
    if (answer.status !== 200) throw errorOfOAuth(call, answer)
    const grant = parseAnswer(call, TokenAnswer, answer.text)
    return {
      access_token: grant.access_token,
      refresh_token: grant.refresh_token,
      expires_in_seconds: grant.expires_in,
      refresh_expires_in_seconds: refreshSeconds,
      // Etsy grants all requested scopes or none, and does not repeat them.
      scopes,
    }
  }

  return {
    pkce: true,

    authorizeUrl({ state, redirectUri, codeChallenge }) {
      if (!codeChallenge) throw new Error('Etsy requires PKCE: the code challenge is missing.')
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      })
      // Etsy documents %20 as the only separator of scopes.
      return `${authUrl}/oauth/connect?${query.toString().replaceAll('+', '%20')}`
    },

    exchangeCode({ code, redirectUri, codeVerifier }) {
      if (!codeVerifier) throw new Error('Etsy requires PKCE: the code verifier is missing.')
      return token('the sign-in', {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code,
        code_verifier: codeVerifier,
      })
    },

    refresh: (refreshToken) =>
      token('the refresh of its token', { grant_type: 'refresh_token', refresh_token: refreshToken }),

    async identify(accessToken) {
      const self = await etsy({ call: 'the question who the seller is', path: '/users/me', accessToken }, SelfAnswer)
      if (!self.shop_id) throw withoutShop()
      const call = { call: 'the question about the shop', path: `/shops/${self.shop_id}`, accessToken }
      const shop = await etsy(call, ShopAnswer)
      return {
        external_id: shop.shop_id,
        external_name: shop.shop_name,
        url: shopUrl(shop.shop_name, shop.url),
        currency: shop.currency_code && /^[A-Z]{3}$/.test(shop.currency_code) ? shop.currency_code : null,
        on_vacation: shop.is_vacation === true,
      }
    },

    mostShops: {
      count: 5,
      why: 'Etsy lets an app with personal access connect 5 shops, and this server has that many. Its operator has to ask Etsy for commercial access.',
    },

    reserveIdentify: async () => reserve?.(`${apiUrl}/v3/application/users/me`, 2),
  }
}

function withoutShop(): PlatformError {
  const words = 'This Etsy account has no shop. Open one on Etsy, or sign in there with the account that has it.'
  return new PlatformError('etsy', 'refused', words, { platformCode: 'no_shop' })
}

/** Returns the shop's public page without tracking parameters. */
function shopUrl(name: string, given: string | null | undefined): string {
  const usual = `https://www.etsy.com/shop/${encodeURIComponent(name)}`
  const url = given && URL.canParse(given) ? new URL(given) : new URL(usual)
  return `${url.origin}${url.pathname}`
}
