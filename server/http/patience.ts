import type { ServerOptions } from 'node:http'

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** Until the headers of a request are there. */
  headersMs: number
  /** Until its body is there, too. */
  requestMs: number
  /** How often that is looked at. */
  checkMs: number
}

export const usualPatience: Patience = { headersMs: 15_000, requestMs: 60_000, checkMs: 1_000 }

/**
 * Longer than the minute for which proxies keep idle connections: the side that sends on one must not find it just
 * closed by the other.
 */
const keepAliveMs = 75_000

/**
 * Options of an HTTP server that cuts clients off which send a request drop by drop: they are answered
 * 408, so that holding connections open costs whoever does it more than us. Without `checkMs` Node looks every half a
 * minute only.
 */
export function patientServer({ headersMs, requestMs, checkMs }: Patience): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keepAliveMs,
  }
}
