import { openImportQueue } from '#extension/storage/import-queue/database.ts'
import { openInventoryCache } from '#extension/storage/inventory-cache/open.ts'
import { openOnDemand } from '#extension/storage/open-on-demand.ts'
import { catalogueAgesMs, refreshCatalogue } from './catalogue.ts'
import type { WorkerContext } from './context.ts'
import type { PopupHandlers } from './handlers/answer-page.ts'
import { sync } from './handlers/inventory-handlers.ts'
import { popupHandlers } from './handlers/popup-handlers.ts'
import { sendReports } from './handlers/tab-task-handlers.ts'
import { type NewsPublisher, publishNews } from './live/publish-news.ts'
import { finishSigningOut } from './session/account.ts'
import { allowedFetch } from './session/allowed-fetch.ts'
import { clientOf } from './session/api.ts'
import { revocableFetch } from './session/revocable-fetch.ts'
import { readTakeDowns } from './take-downs/state.ts'
import { watch } from './tasks/watch.ts'

/** `push` sends what is queued, `watch` looks for tasks and sales. */
export type AlarmName = 'push' | 'watch'

/** Wakes the worker. */
export interface Alarms {
  /** Rings at intervals, first at `when`, in epoch ms. Replaces an earlier alarm of the name. */
  set(name: AlarmName, minutes: number, when?: number): Promise<void>
  /** Returns the interval of an alarm that is set, or null. */
  minutesOf(name: AlarmName): Promise<number | null>
  clear(name: AlarmName): Promise<void>
}

/** Parts that every worker has alike. */
type Common = 'importQueue' | 'inventory' | 'clientOf' | 'now' | 'random' | 'sleep' | 'locks' | 'checkEveryMinute'
type Published = 'sessionChanged' | 'publishOverview' | 'publishFileRows'

/** The parts of a worker that depend on where it runs: in the browser's extension, or in a page of the server. */
export interface WorkerHome extends Omit<WorkerContext, Common | Published> {
  /** Returns true if the browser permits requests to the server. */
  mayReach: (server: string) => Promise<boolean>
  alarms: Alarms
  /** Called after the session has changed. */
  onSession: () => void
}

export interface Worker {
  context: WorkerContext
  handlers: PopupHandlers
  publisher: NewsPublisher
  ring: (alarm: AlarmName) => void
}

/** Maximum age of the inventory cache while no page is open, in ms. */
const inventoryEveryMs = 15 * 60_000

/** Creates the worker that keeps the session, the databases and what is queued. */
export function createWorker(home: WorkerHome): Worker {
  const calls = revocableFetch(allowedFetch(home.fetch, (server) => home.mayReach(server)))
  const context: WorkerContext = {
    ...home,
    importQueue: openOnDemand(openImportQueue),
    inventory: openOnDemand(openInventoryCache),
    fetch: calls.fetch,
    clientOf: (session, timeoutMs, onPart) => clientOf(session, calls.hold(), timeoutMs, onPart),
    now: () => Date.now(),
    random: () => Math.random(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    locks: navigator.locks,
    checkEveryMinute: () => void checkEveryMinute(context, home.alarms).catch(report),
    sessionChanged() {
      calls.abort()
      publisher.restart()
      home.onSession()
    },
    publishOverview: () => publisher.overview(),
    publishFileRows: (done) => publisher.fileRows(done),
  }
  const publisher = publishNews(context)
  // Before any request is handled: sign-in waits for it.
  void finishSigningOut(context).catch(report)
  return {
    context,
    handlers: popupHandlers(context),
    publisher,
    ring: (alarm) => (alarm === 'push' ? context.push() : context.checkEveryMinute()),
  }
}

/**
 * Runs once a minute while a seller is signed in, and twice where listings end by themselves, so that a sold one ends
 * within the minute. The alarm is set first, so that it outlives this worker.
 */
async function checkEveryMinute(context: WorkerContext, alarms: Alarms): Promise<void> {
  const minutes = (await readTakeDowns(context.store)).on.length > 0 ? 0.5 : 1
  if ((await alarms.minutesOf('watch')) !== minutes) await alarms.set('watch', minutes)
  await sendReports(context).catch(report)
  if (!(await watch(context))) return alarms.clear('watch')
  await context.takeDownNext()
  await refreshCatalogue(context, catalogueAgesMs.idle)
  const inventory = await context.inventory()
  const { ended_at = 0, phase = 'full' } = (await inventory.sync.get('sync')) ?? {}
  if (phase !== 'idle' || context.now() - ended_at > inventoryEveryMs) await sync(context)
}

/** Rethrows an error for the browser's extension page. Queued work stays stored until the next alarm. */
export function report(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
