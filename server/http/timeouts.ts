import type { ServerOptions } from 'node:http'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'

/** Timeouts of a client's request, in ms. */
interface ClientTimeouts {
  /** Until all headers have arrived. */
  headersMs: number
  /** Until the body has arrived. */
  requestMs: number
  /** Interval of the checks for late requests. */
  checkMs: number
}

export const usualTimeouts: ClientTimeouts = {
  headersMs: waysIn.head.giveUpMs,
  requestMs: waysIn.json.giveUpMs,
  checkMs: 1_000,
}

/**
 * Longer than the minute for which proxies keep idle connections, so that no proxy sends on a connection that we are
 * closing.
 */
const keepAliveMs = 75_000

/**
 * Options of an HTTP server that answers 408 to slow requests, so that an open connection costs the sender more than us.
 * Without `checkMs`, Node checks only every 30 seconds.
 */
export function withTimeouts({ headersMs, requestMs, checkMs }: ClientTimeouts): ServerOptions {
  return {
    maxHeaderSize: waysIn.head.bytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keepAliveMs,
  }
}
