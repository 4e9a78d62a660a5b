import type { Logger } from 'pino'
import type { Database } from './index.ts'

export interface Listening {
  stop(): Promise<void>
}

const againAfterMs = 5_000

/**
 * Calls `onNotice` with the payload whenever a transaction that notified `channel` commits, and with null when the
 * connection was made anew, since notices may have been missed. Whoever listens also looks by itself now and then: a
 * notice can be lost (faults F12).
 */
export function listenTo(
  { db, log }: { db: Database; log: Logger },
  channel: string,
  onNotice: (payload: string | null) => void,
): Listening {
  let stopped = false
  let connection: Awaited<ReturnType<Database['connect']>> | null = null
  let timer: NodeJS.Timeout | undefined
  const hear = (notice: { channel: string; payload?: string }) => {
    if (notice.channel === channel) onNotice(notice.payload ?? '')
  }
  const later = () => {
    if (!stopped) timer = setTimeout(begin, againAfterMs)
  }
  const listen = async () => {
    const made = await db.connect({
      direct: true,
      onLost: () => {
        connection = null
        later()
      },
    })
    if (stopped) return void made.done(true)
    connection = made
    made.client.on('notification', hear)
    await made.none('listen $1:name', [channel])
    onNotice(null)
  }
  const begin = () => {
    starting = listen().catch((error: unknown) => {
      if (stopped) return
      log.warn({ err: error, channel }, 'notices are not heard; trying again')
      later()
    })
  }
  let starting: Promise<unknown> = Promise.resolve()
  begin()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await starting
      connection?.client.removeListener('notification', hear)
      await connection?.done(true)
      connection = null
    },
  }
}
