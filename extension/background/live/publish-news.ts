import type { News } from '#extension/messaging/news.ts'
import { HapaxError } from '#shared/client/error.ts'
import type { WorkerContext } from '../context.ts'
import { openEventStream } from '../session/api.ts'
import { endIfRefused } from '../session/confirm-refusal.ts'
import { readSession, type Session } from '../session/session.ts'
import { storeForSession } from '../session/store-for-session.ts'
import { followEvents } from './follow-events.ts'

/** A page that listens for news. */
interface Subscriber {
  postMessage(news: News): void
}

/** Publishes changes to open pages. */
export interface NewsPublisher {
  join(subscriber: Subscriber): void
  leave(subscriber: Subscriber): void
  /** Tells pages that the overview has changed. */
  overview(): void
  /** Tells pages how many rows of a file are done. */
  fileRows(done: number): void
  /** Restarts after a sign-in or sign-out. */
  restart(): void
}

/**
 * An import emits thousands of events. Pages get the first at once, and then news at intervals in ms that grow while there is
 * more: what follows a sale within seconds is seen soon.
 */
const overviewEvery = { firstMs: 750, mostMs: 1_000 }
const inventoryEvery = { firstMs: 750, mostMs: 3_000 }

/** How long the last event's id is good for resuming, in ms. */
const rememberMs = 300_000

/** Events that change the inventory. */
const changesInventory = /^(item|listing|sale|oversell)\./

/**
 * Follows the server's events while a visible page listens. Otherwise the worker may sleep, and an alarm checks once a
 * minute (background/tasks/watch.ts).
 */
export function publishNews(
  context: Pick<WorkerContext, 'store' | 'fetch' | 'clientOf' | 'now' | 'random' | 'locks'>,
): NewsPublisher {
  const subscribers = new Set<Subscriber>()
  let following: AbortController | null = null
  let live = false
  let heard: number | null = null
  let session: Session | null = null

  const publish = (news: Partial<News>) => {
    for (const subscriber of subscribers) subscriber.postMessage({ live, overview: false, inventory: false, ...news })
    // Store only the last id: repeating news after a restart is harmless.
    if (heard !== null && session) void storeForSession(context, session, 'heard', { id: heard, at: context.now() })
    heard = null
  }
  const overview = paced(overviewEvery, () => publish({ overview: true }))
  const inventory = paced(inventoryEvery, () => publish({ inventory: true }))
  const setLive = (isLive: boolean) => {
    if (live === isLive) return
    live = isLive
    publish({})
  }
  const stop = () => {
    following?.abort()
    following = null
    overview.cancel()
    inventory.cancel()
    heard = null
    live = false
  }
  const begin = async () => {
    const ending = new AbortController()
    following = ending
    const signedIn = await readSession(context.store)
    if (signedIn?.status !== 'active' || ending.signal.aborted) return
    session = signedIn
    await followEvents(
      {
        open: (last, signal) => openEventStream(signedIn, context.fetch, last, signal),
        recall: async () => {
          const { id, at } = Object((await context.store.get('heard')) ?? null) as { id?: unknown; at?: unknown }
          return typeof id === 'number' && typeof at === 'number' && context.now() - at < rememberMs ? id : null
        },
        remember: (id) => {
          heard = id
        },
        random: context.random,
        onOpen: (missed) => {
          if (ending.signal.aborted) return
          setLive(true)
          if (!missed) return
          overview.act()
          inventory.act()
        },
        onEvent({ type }) {
          if (ending.signal.aborted) return
          overview.act()
          if (changesInventory.test(type)) inventory.act()
        },
        onClosed: () => !ending.signal.aborted && setLive(false),
        async onRefused() {
          const ended = await endIfRefused(context, signedIn, new HapaxError(401, null, null))
          if (ended) overview.act()
          return ended
        },
      },
      ending.signal,
    )
  }
  return {
    join(subscriber) {
      subscribers.add(subscriber)
      if (following) subscriber.postMessage({ live, overview: false, inventory: false })
      else void begin()
    },
    leave(subscriber) {
      subscribers.delete(subscriber)
      if (subscribers.size === 0) stop()
    },
    overview: () => publish({ overview: true }),
    fileRows: (done) => publish({ file_rows: done }),
    restart() {
      stop()
      publish({ overview: true, inventory: true })
      if (subscribers.size > 0) void begin()
    },
  }
}

/**
 * Runs `act` at once, and once more at the end of each interval if asked meanwhile. The interval doubles up to `mostMs`, and
 * is the first one again after one without a wish.
 */
function paced({ firstMs, mostMs }: typeof inventoryEvery, act: () => void): { act: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let asked = false
  let everyMs = firstMs
  const go = () => {
    asked = false
    timer = setTimeout(() => {
      timer = null
      everyMs = asked ? Math.min(everyMs * 2, mostMs) : firstMs
      if (asked) go()
    }, everyMs)
    act()
  }
  return {
    act() {
      asked = true
      if (!timer) go()
    },
    cancel() {
      if (timer) clearTimeout(timer)
      timer = null
      asked = false
    },
  }
}
