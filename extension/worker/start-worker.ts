import browser from 'webextension-polyfill'
import { type Cache, openCache } from '../cache/database.ts'
import { answer, type Sender } from '../messages/answer.ts'
import { clientOf } from '../session/api.ts'
import { openStore } from '../session/store.ts'
import { hasUnsent, pushOutbox } from '../sync/push.ts'
import type { WorkerContext } from './context.ts'
import { pageHandlers } from './page-handlers.ts'
import { popupHandlers } from './popup-handlers.ts'
import { followNotifications, showBadge, showNotification } from './toolbar.ts'
import { watch } from './watch.ts'

const alarm = 'push'
const watchAlarm = 'watch'

/** Puts all listeners in place; must run in the worker's first turn, or a waking event is lost. */
export function startWorker(): void {
  const context: WorkerContext = {
    cache: cacheKeeper(),
    store: openStore(),
    fetch: (url, init) => fetch(url, init),
    clientOf: (session) => clientOf(session, (url, init) => fetch(url, init)),
    now: () => Date.now(),
    random: () => Math.random(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    locks: navigator.locks,
    keyName: `Hapax extension (${browserName(navigator.userAgent)})`,
    push: (eager) => void push(context, eager).catch(report),
    keepWatch: () => void keepWatch(context).catch(report),
    badge: showBadge,
    notify: showNotification,
  }
  const handlers = { page: pageHandlers(context), popup: popupHandlers(context) }
  const own = { id: browser.runtime.id, pages: browser.runtime.getURL('/') }

  browser.runtime.onMessage.addListener((message: unknown, sender: Sender) => answer(message, sender, own, handlers))
  browser.alarms.onAlarm.addListener((fired) => {
    if (fired.name === alarm) context.push()
    if (fired.name === watchAlarm) context.keepWatch()
  })
  const begin = () => {
    context.push()
    context.keepWatch()
  }
  browser.runtime.onStartup.addListener(begin)
  browser.runtime.onInstalled.addListener(begin)
  followNotifications()
}

/**
 * Sends what waits. The alarm is set before anything is tried, so that a worker that dies while sending is woken to
 * go on; it is taken away when nothing is left.
 */
async function push(context: WorkerContext, eager = false): Promise<void> {
  const cache = await context.cache()
  if (!(await hasUnsent(cache))) return clearAlarm()
  await browser.alarms.create(alarm, { periodInMinutes: 1 })
  const outcome = await pushOutbox({ ...context, cache }, eager)
  if (outcome.kind === 'later') {
    await browser.alarms.create(alarm, { when: outcome.retryAt, periodInMinutes: 1 })
  } else if (!(await hasUnsent(cache)) || outcome.kind === 'signed_out') {
    await clearAlarm()
  }
}

/** Once a minute, as long as somebody is signed in: the alarm is set first, so that it outlives this worker. */
async function keepWatch(context: WorkerContext): Promise<void> {
  if (!(await browser.alarms.get(watchAlarm))) await browser.alarms.create(watchAlarm, { periodInMinutes: 1 })
  if (!(await watch(context))) await browser.alarms.clear(watchAlarm)
}

async function clearAlarm(): Promise<void> {
  await browser.alarms.clear(alarm)
}

function cacheKeeper(): () => Promise<Cache> {
  let opened: Promise<Cache> | null = null
  return () => {
    opened ??= openCache().then(
      (cache) => {
        // The browser may close it under us (F36): the next use opens it again.
        cache.on('close', () => {
          opened = null
        })
        return cache
      },
      (error: unknown) => {
        opened = null
        throw error
      },
    )
    return opened
  }
}

function report(error: unknown): void {
  // Shown on the browser's page of the extension; whatever waits stays stored and is tried at the next alarm.
  queueMicrotask(() => {
    throw error
  })
}

function browserName(userAgent: string): string {
  if (/\bFirefox\//.test(userAgent)) return 'Firefox'
  return /\bEdg\//.test(userAgent) ? 'Edge' : 'Chrome'
}
