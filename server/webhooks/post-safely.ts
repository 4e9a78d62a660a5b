import type { ResolveHost } from '#server/http/outbound/resolve-host.ts'
import {
  type SafeRequest,
  SafeRequestError,
  type SafeRequestFault,
  safeRequest,
} from '#server/http/outbound/safe-request.ts'
import { isLoopback } from './check-url.ts'

export interface PostOptions {
  /** Allows this machine as a receiver. */
  sandbox: boolean
  timeoutMs?: number
  /** Resolves a host to all its addresses; DNS by default. */
  resolve?: ResolveHost
}

interface PostAnswer {
  status: number
  retryAfterSeconds: number | null
}

/** A failed delivery. The delivery log shows its message, which never names an internal address. */
export class PostError extends Error {
  override name = 'PostError'
}

const messages: Record<SafeRequestFault, string> = {
  not_allowed: 'The address may not be sent to.',
  host_not_found: 'The host was not found.',
  certificate_refused: 'The certificate was not accepted.',
  timed_out: 'No answer in time.',
  too_large: 'The answer was too large.',
  connection_failed: 'The connection failed.',
}

/**
 * Posts a body to a user-supplied URL (safe-request.ts) without reading the response body. Throws PostError, or the
 * signal's reason.
 */
export async function post(
  address: string,
  body: string,
  headers: Record<string, string>,
  options: PostOptions,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const url = new URL(address)
  const { timeoutMs, resolve } = options
  const request: SafeRequest = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Hapax-Webhooks', ...headers },
    body,
    way: 'webhookAnswer',
    ...(timeoutMs !== undefined && { timeoutMs }),
    isTrusted: options.sandbox && isLoopback(url),
    ...(resolve && { resolve }),
  }
  const answer = await safeRequest(url, request, signal).catch((error: unknown) => {
    if (error instanceof SafeRequestError) throw new PostError(messages[error.fault], { cause: error })
    throw error
  })
  const retryAfter = Number(answer.headers['retry-after'] ?? Number.NaN)
  return {
    status: answer.status,
    retryAfterSeconds: Number.isFinite(retryAfter) ? Math.min(Math.max(retryAfter, 0), 3_600) : null,
  }
}
