import type { Database } from '#server/db/index.ts'
import { type Listening, listenTo } from '#server/db/listen.ts'
import type { Services } from '#server/services.ts'
import { eventChannel } from './emit.ts'

/** Wakes the streams of a user when there are new events, over one listening connection of this process. */
export interface StreamHub {
  /** True when no stream may go on. */
  readonly isEnding: boolean
  /** Calls `wake` at news of the user's, and now and then without any. Answers how to stop. */
  join(user_id: number, wake: () => void): () => void
  /** Streams of the user in this process. */
  countOf(user_id: number): number
  /** Ends all streams, and lets none begin. */
  end(): void
  /** Hears no more news. */
  close(): Promise<void>
}

/** The net under the notices (faults F12). */
const lookEveryMs = 5_000

export function createStreamHub(services: { db: Database; log: Services['log'] }): StreamHub {
  const streams = new Map<number, Set<() => void>>()
  let listening: Listening | null = null
  let timer: NodeJS.Timeout | undefined
  let isEnding = false

  const wakeAll = () => {
    for (const wakes of streams.values()) for (const wake of wakes) wake()
  }
  const begin = () => {
    listening = listenTo(services, eventChannel, (payload) => {
      if (payload === null) wakeAll()
      else for (const wake of streams.get(Number(payload)) ?? []) wake()
    })
    timer = setInterval(wakeAll, lookEveryMs)
    timer.unref()
  }

  return {
    get isEnding() {
      return isEnding
    },
    end() {
      isEnding = true
      wakeAll()
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
