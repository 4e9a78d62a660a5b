import type { RequestListener } from 'node:http'
import type { Faults } from '../kit/faults.ts'
import { html, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { createListener } from '../kit/listener.ts'
import type { FaultKind } from './faults.ts'
import { fulfillmentCallOf } from './fulfillment.ts'
import { refuseToken } from './oauth.ts'
import { restError, xml } from './responses.ts'
import { sellingCallOf } from './selling/index.ts'
import { failure, tradingFaults } from './trading.ts'

/** A request as it arrived. */
export interface ReceivedRequest {
  method: string
  /** Path and query. */
  url: string
  /** Names and values in turn, as sent. */
  rawHeaders: string[]
  body: string
}

const maxReceived = 2_000

/** Creates the sandbox eBay's listener. Adds each request to `requests` and drops the oldest. */
export function createEbayListener(
  handle: (request: SandboxRequest) => SandboxResponse | Promise<SandboxResponse>,
  { faults, clock, requests }: { faults: Faults<FaultKind>; clock: () => Date; requests: ReceivedRequest[] },
): RequestListener {
  return createListener({
    handle,
    faults,
    maxBodyBytes: 2_000_000,
    callOf,
    itemOf: ({ body }) => /<ItemID>(\d+)<\/ItemID>/.exec(body)?.[1],
    replace: ({ kind }, call, request) => faultResponse(kind, call, request, clock),
    onRequest({ method = '', url = '', rawHeaders }, { body }) {
      requests.push({ method, url, rawHeaders, body })
      if (requests.length > maxReceived) requests.shift()
    },
  })
}

function faultResponse(
  kind: FaultKind,
  call: string,
  request: SandboxRequest,
  clock: () => Date,
): SandboxResponse | null {
  const isTrading = request.path === '/ws/api.dll'
  switch (kind) {
    case 'http_500':
      return { status: 500, type: 'text/plain', body: 'Internal Server Error' }
    case 'html_body':
      return html('<!DOCTYPE html><html><head><title>We are sorry</title></head><body><p>Back soon<br></body></html>')
    case 'rate_limit':
      if (isTrading) return xml(failure({ clock }, call, tradingFaults.shortLimit))
      return restError(429, 2001, 'Too many requests.', { 'retry-after': '15' })
    case 'day_limit':
      if (isTrading) return xml(failure({ clock }, call, tradingFaults.callLimit))
      return restError(429, 2001, 'Too many requests.')
    case 'token_invalid':
      if (isTrading) return xml(failure({ clock }, call, tradingFaults.authFailed))
      return call === 'token' ? refuseToken('invalid_grant') : restError(401, 1001, 'Invalid access token')
    default:
      return null
  }
}

function callOf(request: SandboxRequest): string | null {
  if (request.path === '/ws/api.dll') return request.header('x-ebay-api-call-name') || 'none'
  if (request.path === '/identity/v1/oauth2/token') return 'token'
  if (request.path === '/commerce/identity/v1/user/') return 'identity'
  return sellingCallOf(request) ?? fulfillmentCallOf(request)
}
