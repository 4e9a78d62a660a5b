import type { Database } from '#server/infra/db/index.ts'
import { type Listening, listenTo } from '#server/infra/db/listen.ts'
import type { Services } from '#server/services.ts'
import { eventChannel } from './emit.ts'

/** Wakes the streams of a user when there are new events, over one listening connection per process. */
export interface StreamHub {
  /** True once the server is stopping. */
  readonly isEnding: boolean
  /**
   * Calls `wake` when the user may have new events, and every few seconds. `mayHaveEnded` is true when a credential of
   * the user may have ended. Returns a function that leaves.
   */
  join(user_id: number, wake: (mayHaveEnded: boolean) => void): () => void
  /** Returns the number of the user's streams in this process. */
  countOf(user_id: number): number
  /** Ends all streams and refuses new ones. */
  end(): void
  /** Stops listening. */
  close(): Promise<void>
}

/** Prefix of the notification that a credential ended; the user id follows (trigger `notify_ended`). */
const endedPrefix = 'ended '
/** Polling interval in case a notification is lost. */
const pollMs = 5_000

export function createStreamHub(services: { db: Database; log: Services['log'] }): StreamHub {
  const streams = new Map<number, Set<(mayHaveEnded: boolean) => void>>()
  let listening: Listening | null = null
  let timer: NodeJS.Timeout | undefined
  let isEnding = false

  const wakeAll = (mayHaveEnded: boolean) => {
    for (const wakes of streams.values()) for (const wake of wakes) wake(mayHaveEnded)
  }
  const begin = () => {
    listening = listenTo(services, eventChannel, (payload) => {
      // Notifications may have been missed.
      if (payload === null) return wakeAll(true)
      const mayHaveEnded = payload.startsWith(endedPrefix)
      const user_id = Number(mayHaveEnded ? payload.slice(endedPrefix.length) : payload)
      for (const wake of streams.get(user_id) ?? []) wake(mayHaveEnded)
    })
    timer = setInterval(() => wakeAll(false), pollMs)
    timer.unref()
  }

  return {
    get isEnding() {
      return isEnding
    },
    end() {
      isEnding = true
      wakeAll(false)
    },
    join(user_id, wake) {
      if (!listening) begin()
      const wakes = streams.get(user_id) ?? new Set()
      wakes.add(wake)
      streams.set(user_id, wakes)
      return () => {
        wakes.delete(wake)
        if (wakes.size === 0) streams.delete(user_id)
      }
    },
    countOf: (user_id) => streams.get(user_id)?.size ?? 0,
    async close() {
      clearInterval(timer)
      await listening?.stop()
      listening = null
    },
  }
}
