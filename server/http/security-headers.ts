import type { Config } from '#server/config.ts'
import { problem } from '#server/infra/errors.ts'
import type { RequestCheck } from './check-request.ts'
import { countHeader } from './credentials/authenticate.ts'

/** Listings name pictures on many hosts. Those of the stand-ins of marketplaces have no certificates. */
export const pictureSources = (sandbox: boolean) => (sandbox ? 'https: http:' : 'https:')

/**
 * Sets the headers of every response and refuses foreign Hosts. HSTS if PUBLIC_URL is https and the operator wants it. Not koa-helmet: every
 * directive differs from its defaults, so this table would only move into its options.
 */
export function securityHeaders({
  PUBLIC_URL,
  HSTS_DAYS,
  sandbox,
}: Pick<Config, 'PUBLIC_URL' | 'HSTS_DAYS' | 'sandbox'>): RequestCheck {
  const isStrict = PUBLIC_URL.startsWith('https:') && HSTS_DAYS > 0
  const strict = `max-age=${HSTS_DAYS * 86_400}; includeSubDomains`
  const ownHost = new URL(PUBLIC_URL).host.toLowerCase()
  const headers = Object.entries({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-site',
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src 'self' ${pictureSources(sandbox)} data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    Vary: 'Origin',
    ...(isStrict ? { 'Strict-Transport-Security': strict } : {}),
  })
  return (ctx) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value)
    // Proxies and servers disagree on which of two Host headers counts.
    if (countHeader(ctx.req.rawHeaders, 'host') > 1)
      throw problem('invalid_request', 'The request has two Host headers.')
    if (!probes.has(ctx.path) && !isOwnHost(ctx.req.headers.host, ownHost)) throw problem('misdirected_request')
  }
}

/** Load balancers and monitors use the IP address. These responses do not depend on Host. */
const probes = new Set(['/healthz', '/readyz', '/metrics'])

/** Returns whether the host is ours. Loopback names are equivalent: the popup may use localhost for 127.0.0.1. */
function isOwnHost(host: string | undefined, ownHost: string): boolean {
  const given = host?.toLowerCase()
  if (given === ownHost) return true
  return given !== undefined && loopback.test(given) && loopback.test(ownHost)
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
