import { createHash } from 'node:crypto'
import type { Config } from '#server/config.ts'
import type { QuotaKey } from './quota.ts'

type Endpoints = Pick<Config, 'EBAY_API_URL' | 'EBAY_APIZ_URL' | 'EBAY_CLIENT_ID' | 'ETSY_API_URL' | 'ETSY_CLIENT_ID'>

/**
 * Returns the budget that a request counts against; null for requests that cost nothing, such as tokens, consent and
 * pictures. The shop comes from the token: Etsy's begin with the user's id, and eBay's are identified by hash.
 */
export function callOf(config: Endpoints, url: string, headers: Headers): QuotaKey | null {
  if (config.ETSY_CLIENT_ID && url.startsWith(`${config.ETSY_API_URL}/v3/application/`)) {
    const user = /^Bearer (\d{1,19})\./.exec(headers.get('authorization') ?? '')?.[1]
    return { platform: 'etsy', app: config.ETSY_CLIENT_ID, shop: user ?? hashOf(headers.get('authorization')) }
  }
  return config.EBAY_CLIENT_ID ? ebayCallOf(config, config.EBAY_CLIENT_ID, url, headers) : null
}

/** eBay counts each REST API separately, and the Trading API by call name too. */
function ebayCallOf(config: Endpoints, app: string, url: string, headers: Headers): QuotaKey | null {
  const host = [config.EBAY_API_URL, config.EBAY_APIZ_URL].find((base) => url.startsWith(`${base}/`))
  if (!host) return null
  const path = url.slice(host.length)
  if (path.startsWith('/ws/')) {
    const call = headers.get('x-ebay-api-call-name') ?? ''
    return { platform: 'ebay', app, shop: hashOf(headers.get('x-ebay-api-iaf-token')), call }
  }
  const api = /^\/((?:sell|commerce)\/[a-z_]{1,40})\//.exec(path)?.[1]
  return api ? { platform: 'ebay', app, api, shop: hashOf(headers.get('authorization')) } : null
}

function hashOf(token: string | null): string {
  return token ? createHash('sha256').update(token).digest('base64url').slice(0, 22) : ''
}
