import type { Config } from '#server/config.ts'
import type { Database } from '#server/infra/db/index.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import { publish } from '#server/infra/observed.ts'
import { inSpan } from '#server/infra/span.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { pausableFetch } from '../paused-platforms.ts'
import { callOf } from './calls.ts'
import { plansOf, type QuotaPlans, type RaisedLimits } from './plans.ts'
import { createQuota } from './quota.ts'
import { quotaFetch } from './quota-fetch.ts'

export { forShop, withPriority, withReservedCalls } from './context.ts'
export type { Priority } from './plans.ts'

/** The platforms' real API hosts, where the documented limits apply. */
const realHosts: Record<OAuthSlug, string> = { ebay: 'api.ebay.com', etsy: 'openapi.etsy.com' }

/**
 * Returns the fetch for adapters, which keeps within the platforms' budgets. All processes share them through the
 * database.
 */
export function platformFetch({ config, db, fetch }: { config: Config; db: Database; fetch: Fetch }): Fetch {
  const observed = observedFetch(config, fetch)
  const pausable = (within: Fetch) => pausableFetch({ db, fetch: within, platformOf: (url) => platformOf(config, url) })
  if (config.PLATFORM_LIMITS === 'off') return pausable(observed)
  const quota = createQuota({ db, plans: plansFor(config) })
  return pausable(quotaFetch({ fetch: observed, quota, callOf: (url, headers) => callOf(config, url, headers) }))
}

const platformOf = (config: Pick<Config, 'ETSY_API_URL'>, url: string): OAuthSlug =>
  new URL(url).origin === new URL(config.ETSY_API_URL).origin ? 'etsy' : 'ebay'

/** Publishes every call of a platform: the status of its answer, and a span. The platform gets no `traceparent`. */
export function observedFetch(config: Pick<Config, 'ETSY_API_URL'>, fetch: Fetch): Fetch {
  return (input, init) => {
    const platform = platformOf(config, input)
    return inSpan({ kind: 'client', name: `${platform} ${operationOf(input, init)}` }, async (span) => {
      span.attributes = { 'hapax.platform': platform }
      let status = 'error'
      try {
        const response = await fetch(input, init)
        status = String(response.status)
        span.attributes['http.response.status_code'] = response.status
        span.isFailed = response.status >= 400
        return response
      } finally {
        publish('platformCall', { platform, status })
      }
    })
  }
}

/** Names an operation: the call of eBay's Trading API, or method and path. Ids in the path are left out, as is the query. */
function operationOf(url: string, init: RequestInit = {}): string {
  const call = new Headers(init.headers).get('x-ebay-api-call-name')
  if (call) return call
  const segments = new URL(url).pathname
    .split('/')
    .map((part) => (/^(?:v?\d|[a-z][a-z_]*\d?|)$/.test(part) ? part : '{}'))
  return `${init.method ?? 'GET'} ${segments.join('/')}`
}

/** Returns the plans for the configured hosts: only real ones, unless PLATFORM_LIMITS is `documented`. */
export function plansFor(
  config: Pick<Config, 'PLATFORM_LIMITS' | 'EBAY_API_URL' | 'ETSY_API_URL'> & RaisedLimits,
): QuotaPlans {
  const urls: Record<OAuthSlug, string> = { ebay: config.EBAY_API_URL, etsy: config.ETSY_API_URL }
  const applies = (platform: OAuthSlug) =>
    config.PLATFORM_LIMITS === 'documented' || new URL(urls[platform]).host === realHosts[platform]
  const plans = Object.entries(plansOf(config))
  return Object.fromEntries(plans.filter(([budget]) => applies(budget.startsWith('ebay') ? 'ebay' : 'etsy')))
}
