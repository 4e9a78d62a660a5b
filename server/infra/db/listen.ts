import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { usualTimes } from '#server/times.ts'
import type { Database } from './index.ts'

export interface Listening {
  stop(): Promise<void>
}

/**
 * Calls `onNotice` with the payload whenever a transaction that notified `channel` commits. Calls it with null after
 * each reconnection, since notifications may have been missed. Probes the connection, because a vanished peer of an
 * idle connection is not reported otherwise. A late answer costs a new connection but no notification. Listeners must
 * also poll, since a notification can be lost. pg-listen probes without a timeout, so it would wait on a silent peer.
 */
export function listenTo(
  { db, log }: { db: Database; log: Logger },
  channel: string,
  onNotice: (payload: string | null) => void,
  { probeEveryMs, answerWithinMs, againAfterMs } = usualTimes.probes,
): Listening {
  const stopping = new AbortController()
  const { signal } = stopping
  const hear = (notice: { channel: string; payload?: string }) => {
    if (notice.channel === channel) onNotice(notice.payload ?? '')
  }
  /** Listens until the connection is lost or stopped, then throws. */
  const listen = async () => {
    const lost = new AbortController()
    const made = await db.connect({ direct: true, onLost: (error) => lost.abort(error) })
    const { client } = made
    // Ignore errors while closing.
    client.on('error', () => {})
    const over = AbortSignal.any([signal, lost.signal])
    try {
      client.on('notification', hear)
      await within(answerWithinMs, over, made.none('listen $1:name', [channel]))
      onNotice(null)
      for (;;) {
        await delay(probeEveryMs, undefined, { signal: over })
        await within(answerWithinMs, over, made.any('select 1'))
      }
    } catch (error) {
      throw lost.signal.reason ?? error
    } finally {
      client.removeListener('notification', hear)
      // Destroy without asking: a dead connection would never answer. The stream is a socket, whatever its type says.
      ;(client.connection.stream as unknown as Socket).destroy()
    }
  }
  const listenAgain = async () => {
    while (!signal.aborted) {
      await listen().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error, channel }, 'notices are not heard; trying again')
      })
      await delay(againAfterMs, undefined, { signal }).catch(() => {})
    }
  }
  const listening = listenAgain()
  return {
    async stop() {
      stopping.abort()
      await listening
    },
  }
}

/** Returns the value if it comes in time and before `over`; throws otherwise. */
async function within<Value>(milliseconds: number, over: AbortSignal, coming: Promise<Value>): Promise<Value> {
  const cut = new AbortController()
  const late = delay(milliseconds, undefined, { signal: AbortSignal.any([over, cut.signal]) }).then(() => {
    throw new Error('the database does not answer')
  })
  late.catch(() => {})
  try {
    return await Promise.race([coming, late])
  } finally {
    cut.abort()
  }
}
