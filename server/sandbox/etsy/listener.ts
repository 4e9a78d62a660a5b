import type { RequestListener } from 'node:http'
import type { Faults, Strike } from '../kit/faults.ts'
import { html, json, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { createListener } from '../kit/listener.ts'
import { etsyError, operationOf, refuseToken } from './api.ts'
import type { FaultKind } from './faults.ts'

/** Creates the sandbox Etsy's listener. */
export function createEtsyListener(
  handle: (request: SandboxRequest) => SandboxResponse | Promise<SandboxResponse>,
  faults: Faults<FaultKind>,
): RequestListener {
  /** The last page of listings or receipts at each address, for `repeat_page`. */
  const lastPages = new Map<string, SandboxResponse>()
  return createListener({
    handle,
    faults,
    // Pictures come in whole.
    maxBodyBytes: 12_000_000,
    callOf,
    replace: faultResponse,
    alter(response, call, { path }, fault) {
      const previous = lastPages.get(path)
      const isPage = call === 'getListingsByShop' || call === 'getShopReceipts'
      if (isPage && response.status === 200) lastPages.set(path, response)
      switch (fault?.kind) {
        case 'repeat_page':
          return previous ?? response
        case 'short_page':
          return truncateResults(response, 0.5)
        case 'empty_page':
          return truncateResults(response, 0)
        case 'truncate':
          return { ...response, body: response.body.slice(0, Math.floor(response.body.length / 2)) }
        default:
          return response
      }
    },
  })
}

function faultResponse({ kind, retryAfterSeconds }: Strike<FaultKind>, call: string): SandboxResponse | null {
  switch (kind) {
    case 'http_500':
      return etsyError(500, 'Server Error')
    case 'html_body':
      return html('<!DOCTYPE html><html><head><title>Etsy</title></head><body><p>Back soon<br></body></html>')
    case 'garbage':
      return {
        status: 200,
        type: 'application/json',
        body: 'this is no gzip',
        headers: { 'content-encoding': 'gzip' },
      }
    case 'rate_limit': {
      const headers = retryAfterSeconds === null ? undefined : { 'retry-after': String(retryAfterSeconds) }
      return etsyError(429, 'Exceeded rate limit.', headers)
    }
    case 'token_invalid':
      return call === 'token'
        ? json({ error: 'invalid_grant', error_description: 'refresh_token is revoked' }, 400)
        : refuseToken()
    default:
      return null
  }
}

/** Keeps a share of a page's results; the count stays. */
function truncateResults(response: SandboxResponse, share: number): SandboxResponse {
  const page: unknown = JSON.parse(String(response.body))
  if (typeof page !== 'object' || page === null || !('results' in page) || !Array.isArray(page.results)) return response
  const results = page.results.slice(0, Math.floor(page.results.length * share))
  return { ...response, body: JSON.stringify({ ...page, results }) }
}

function callOf(request: SandboxRequest): string | null {
  if (request.path === '/v3/public/oauth/token') return 'token'
  if (!request.path.startsWith('/v3/application/')) return null
  return operationOf(request)?.id ?? 'unknown'
}
