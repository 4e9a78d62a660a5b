import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Times from the call on, in ms. */
export interface ClosingTimes {
  /**
   * Time during which the server still accepts connections while `/readyz` fails. A balancer that probes every second
   * has moved its clients by then.
   */
  drainMs: number
  /** Time after which unanswered requests are cut off. */
  cutMs: number
}

/** For a single server, stopped at a terminal. */
export const quickClosing: ClosingTimes = { drainMs: 0, cutMs: 4_000 }

/** Answers the requests in flight, asks clients to close their connections, and closes the server. */
export async function closeServer(server: Server, { drainMs, cutMs }: ClosingTimes): Promise<void> {
  // Busy connections close by themselves while the server drains. Closing an idle one at once could reset a request that
  // is on its way.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  await delay(drainMs)
  const cut = setTimeout(() => server.closeAllConnections(), cutMs - drainMs)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(cut)
}
