import { createHash } from 'node:crypto'
import type { Config } from '#server/config.ts'
import type { QuotaKey } from './quota.ts'

type Endpoints = Pick<Config, 'EBAY_API_URL' | 'EBAY_CLIENT_ID' | 'ETSY_API_URL' | 'ETSY_CLIENT_ID'>

/**
 * Whose budget a request is on; null for one that costs nothing: tokens, consent, identity, pictures. The shop is told
 * from the token: Etsy's begin with the user's id, eBay's are known by their hash.
 */
export function callOf(config: Endpoints, url: string, headers: Headers): QuotaKey | null {
  if (config.ETSY_CLIENT_ID && url.startsWith(`${config.ETSY_API_URL}/v3/application/`)) {
    const user = /^Bearer (\d{1,19})\./.exec(headers.get('authorization') ?? '')?.[1]
    return { platform: 'etsy', app: config.ETSY_CLIENT_ID, shop: user ?? hashOf(headers.get('authorization')) }
  }
  if (config.EBAY_CLIENT_ID && url.startsWith(`${config.EBAY_API_URL}/ws/`)) {
    return { platform: 'ebay', app: config.EBAY_CLIENT_ID, shop: hashOf(headers.get('x-ebay-api-iaf-token')) }
  }
  return null
}

function hashOf(token: string | null): string {
  return token ? createHash('sha256').update(token).digest('base64url').slice(0, 22) : ''
}
