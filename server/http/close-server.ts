import type { Server as HttpServer } from 'node:http'
import { Server as NetServer } from 'node:net'

/** In milliseconds, from the call on. */
export interface ClosingTimes {
  /**
   * New connections are still taken so long, while `/readyz` says that this server is leaving: a balancer that asks every
   * second has sent its clients elsewhere by then. Whoever connects at the very moment when listening ends is reset by the
   * system, whatever we do.
   */
  listenMs: number
  /**
   * Connections that nobody uses are left open so long: what their clients are sending just now is still answered. Long
   * enough that one which is in use at all is used once more, and told to close by its answer.
   */
  idleMs: number
  /** What has no answer by then is cut. */
  cutMs: number
}

/** A stop takes so long where clients keep connections, within the ten seconds that a deploy waits. */
export const usualClosing: ClosingTimes = { listenMs: 1_500, idleMs: 2_500, cutMs: 7_000 }

/** For a server alone, and a person who waits at a terminal. */
export const quickClosing: ClosingTimes = { listenMs: 0, idleMs: 500, cutMs: 4_000 }

/**
 * Takes no new connections after a moment, answers what is under way, and tells clients with each answer to come back by
 * another connection. Node's own `close` ends idle connections at once, and with them a request that is on its way there: its
 * client sees an error, although another server would have answered it. http-terminator does the same, and also
 * cuts connections that the kernel took and nobody accepted yet.
 */
export function closeServer(
  server: HttpServer,
  { listenMs, idleMs, cutMs }: ClosingTimes = usualClosing,
): Promise<void> {
  return new Promise((resolve) => {
    server.prependListener('request', (_request, response) => {
      response.setHeader('Connection', 'close')
    })
    let sweep: NodeJS.Timeout | undefined
    // What has arrived is read first: a process that had no processor for a while comes to its timers before its sockets.
    const closeIdle = () => setImmediate(() => setImmediate(() => server.closeIdleConnections()))
    const idle = setTimeout(() => {
      closeIdle()
      sweep = setInterval(closeIdle, 50)
    }, idleMs)
    const cut = setTimeout(() => server.closeAllConnections(), cutMs)
    const close = () =>
      NetServer.prototype.close.call(server, () => {
        clearTimeout(idle)
        clearInterval(sweep)
        clearTimeout(cut)
        resolve()
      })
    // Who stands at the door is let in first: the system resets connections that it took and nobody accepted.
    setTimeout(() => setImmediate(() => setImmediate(close)), listenMs)
  })
}
