import type { ServerOptions } from 'node:http'

/** Timeouts of a client's request, in ms. */
export interface ClientTimeouts {
  /** Until the headers have arrived. */
  headersMs: number
  /** Until the body has arrived, too. */
  requestMs: number
  /** How often the server looks for requests that are late. */
  checkMs: number
}

export const usualTimeouts: ClientTimeouts = { headersMs: 15_000, requestMs: 60_000, checkMs: 1_000 }

/**
 * Longer than the minute for which proxies keep idle connections: a proxy must not send on a connection that we are just
 * closing.
 */
const keepAliveMs = 75_000

/**
 * Options of an HTTP server that answers 408 to clients that send a request drop by drop, so that open connections cost the
 * sender more than us. Without `checkMs` Node looks every half a minute only.
 */
export function withTimeouts({ headersMs, requestMs, checkMs }: ClientTimeouts): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keepAliveMs,
  }
}
