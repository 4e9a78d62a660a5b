import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type FakeAnswer, type FakeRequest, html, json } from '../kit/answer.ts'
import { etsyError, operationOf, refuseToken } from './api.ts'
import type { Faults, Strike } from './faults.ts'

/** The server's listener: reads the request, counts the call, lets a fault strike it, and answers. */
export function createDoor(handle: (request: FakeRequest) => FakeAnswer, faults: Faults): RequestListener {
  /** The last page of listings or receipts that was answered at each address, for faults that repeat one. */
  const lastPages = new Map<string, FakeAnswer>()

  return (message, response) => {
    serve(message, response).catch((error: unknown) => {
      // The caller went away, or the sandbox itself is wrong: said in the answer, where there still can be one.
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(`The sandbox failed: ${String(error)}`)
    })
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message)
    const call = callOf(request)
    const fault = call === null ? null : faults.strike(call)
    if (fault?.kind === 'fail_before') return destroy(message)
    if (fault?.kind === 'slow') await passed(response, fault.delayMs)
    const instead = fault && answerInstead(fault, call)
    if (instead) return send(response, instead)

    const before = lastPages.get(request.path)
    const answer = handle(request)
    const isPage = call === 'getListingsByShop' || call === 'getShopReceipts'
    if (isPage && answer.status === 200) lastPages.set(request.path, answer)
    switch (fault?.kind) {
      case 'fail_after':
        return destroy(message)
      case 'repeat_page':
        return send(response, before ?? answer)
      case 'short_page':
        return send(response, shortened(answer, 0.5))
      case 'empty_page':
        return send(response, shortened(answer, 0))
      case 'truncate':
        return send(response, { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) })
      case 'cut':
        return cut(message, response, answer)
      case 'drip':
        return drip(response, answer, fault.delayMs)
      default:
        send(response, answer)
    }
  }
}

function answerInstead(fault: Strike, call: string | null): FakeAnswer | null {
  switch (fault.kind) {
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
      const seconds = fault.retryAfterSeconds
      const headers = seconds === null ? undefined : { 'retry-after': String(seconds) }
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

/** A page of listings with a part of its results only; the count stays. */
function shortened(answer: FakeAnswer, part: number): FakeAnswer {
  const page: unknown = JSON.parse(String(answer.body))
  if (typeof page !== 'object' || page === null || !('results' in page) || !Array.isArray(page.results)) return answer
  const results = page.results.slice(0, Math.floor(page.results.length * part))
  return { ...answer, body: JSON.stringify({ ...page, results }) }
}

/** The name that a call is counted and struck under; null for pages and pictures. */
function callOf(request: FakeRequest): string | null {
  if (request.path === '/v3/public/oauth/token') return 'token'
  if (!request.path.startsWith('/v3/application/')) return null
  return operationOf(request)?.id ?? 'unknown'
}

async function readRequest(message: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += chunk.length
    if (size > 12_000_000) throw new Error('the request is larger than 12 MB')
    chunks.push(chunk)
  }
  const url = new URL(message.url ?? '/', 'http://127.0.0.1')
  const bytes = Buffer.concat(chunks)
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    header: (name) => String(message.headers[name] ?? ''),
    body: bytes.toString('utf8'),
    bytes,
  }
}

function send(response: ServerResponse, answer: FakeAnswer): void {
  response.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers }).end(answer.body)
}

/** The connection breaks in the middle of an answer that said how long it would be. */
function cut(message: IncomingMessage, response: ServerResponse, answer: FakeAnswer): void {
  const whole = Buffer.from(answer.body)
  response.writeHead(answer.status, { 'content-type': answer.type, 'content-length': whole.length })
  response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => destroy(message))
}

async function drip(response: ServerResponse, answer: FakeAnswer, delayMs: number): Promise<void> {
  response.writeHead(answer.status, { 'content-type': answer.type })
  for (const byte of Buffer.from(answer.body)) {
    if (response.destroyed) return
    response.write(Buffer.from([byte]))
    await passed(response, delayMs)
  }
  response.end()
}

function destroy(message: IncomingMessage): void {
  message.socket.destroy()
}

/** Waits, or less when the caller goes away. */
function passed(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      response.off('close', done)
      resolve()
    }
    const timer = setTimeout(done, delayMs)
    response.once('close', done)
  })
}
