import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type FakeAnswer, type FakeRequest, html } from '../kit/answer.ts'
import { restError, xml } from './answer.ts'
import type { FaultKind, Faults } from './faults.ts'
import { fulfillmentCallOf } from './fulfillment.ts'
import { refuseToken } from './oauth.ts'
import { sellingCallOf } from './selling/index.ts'
import { failure, tradingFaults } from './trading.ts'

/** A request as it came over the wire. */
export interface ReceivedRequest {
  method: string
  /** With its query. */
  url: string
  /** Names and values in turn, as they were sent. */
  rawHeaders: string[]
  body: string
}

const mostReceived = 2_000

/** The server's listener: reads the request, counts the call, lets a fault strike it, and answers. */
export function createDoor(
  handle: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
  { faults, clock, requests }: { faults: Faults; clock: () => Date; requests: ReceivedRequest[] },
): RequestListener {
  return (message, response) => {
    serve(message, response).catch((error: unknown) => {
      // The caller went away, or the sandbox itself is wrong: said in the answer, where there still can be one.
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(`The sandbox failed: ${String(error)}`)
    })
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message)
    const { method = '', url = '', rawHeaders } = message
    requests.push({ method, url, rawHeaders, body: request.body })
    if (requests.length > mostReceived) requests.shift()
    const call = callOf(request)
    const itemId = /<ItemID>(\d+)<\/ItemID>/.exec(request.body)?.[1]
    const fault = call === null ? null : faults.strike(call, itemId)
    if (call === null || fault === null) return send(response, await handle(request))
    if (fault.kind === 'slow') {
      await passed(response, fault.delayMs)
      return send(response, await handle(request))
    }
    const instead = answerInstead(fault.kind, call, request, clock)
    if (instead) return send(response, instead)
    if (fault.kind === 'fail_before') return destroy(message)
    const answer = await handle(request)
    if (fault.kind === 'fail_after') return destroy(message)
    const whole = Buffer.from(answer.body)
    response.writeHead(answer.status, { 'content-type': answer.type, 'content-length': whole.length })
    response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => destroy(message))
  }
}

function answerInstead(kind: FaultKind, call: string, request: FakeRequest, clock: () => Date): FakeAnswer | null {
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
    case 'concurrent':
      return restError(
        500,
        25025,
        'Concurrent access of the same Inventory object is not allowed. Please try again later.',
      )
    default:
      return null
  }
}

/** The name that a call is counted and struck under; null for pages and pictures. */
function callOf(request: FakeRequest): string | null {
  if (request.path === '/ws/api.dll') return request.header('x-ebay-api-call-name') || 'none'
  if (request.path === '/identity/v1/oauth2/token') return 'token'
  if (request.path === '/commerce/identity/v1/user/') return 'identity'
  return sellingCallOf(request) ?? fulfillmentCallOf(request)
}

async function readRequest(message: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    if (size > 2_000_000) throw new Error('the request is larger than 2 MB')
    chunks.push(chunk)
  }
  const url = new URL(message.url ?? '/', 'http://127.0.0.1')
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    header: (name) => String(message.headers[name] ?? ''),
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

function send(response: ServerResponse, answer: FakeAnswer): void {
  response.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers }).end(answer.body)
}

function destroy(message: IncomingMessage): void {
  message.socket.destroy()
}

/** Waits, or less when the caller goes away. */
function passed(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
