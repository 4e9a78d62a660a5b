import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Times from the call on, in ms. */
export interface ClosingTimes {
  /**
   * The server still takes connections until then, while `/readyz` says that it is leaving. A balancer that asks every second
   * has sent its clients elsewhere by then.
   */
  drainMs: number
  /** Requests without an answer are cut off then. */
  cutMs: number
}

/** Within the ten seconds that a deploy waits. */
export const usualClosing: ClosingTimes = { drainMs: 1_500, cutMs: 7_000 }

/** For a server alone, and a person who waits at a terminal. */
export const quickClosing: ClosingTimes = { drainMs: 0, cutMs: 4_000 }

/** Answers the requests that are under way, tells clients to close their connections, and closes the server. */
export async function closeServer(server: Server, { drainMs, cutMs }: ClosingTimes): Promise<void> {
  // Connections that are in use close by themselves while the server drains. Closing an idle one at once could reset a
  // request that is on its way.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  await delay(drainMs)
  const cut = setTimeout(() => server.closeAllConnections(), cutMs - drainMs)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(cut)
}
