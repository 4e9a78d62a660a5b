import browser from 'webextension-polyfill'
import { livePort } from '#extension/messaging/news.ts'
import { permissionPattern } from '#extension/messaging/server-address.ts'
import { openImportQueue } from '#extension/storage/import-queue/database.ts'
import { openInventoryCache } from '#extension/storage/inventory-cache/open.ts'
import { openOnDemand } from '#extension/storage/open-on-demand.ts'
import { catalogueAgesMs, refreshCatalogue } from './catalogue.ts'
import type { WorkerContext } from './context.ts'
import { answer, type Sender } from './handlers/answer.ts'
import { sync } from './handlers/inventory-handlers.ts'
import { popupHandlers } from './handlers/popup-handlers.ts'
import { clearTabs, sendReports } from './handlers/tab-task-handlers.ts'
import { publishNews } from './live/publish-news.ts'
import { finishSigningOut } from './session/account.ts'
import { allowedFetch } from './session/allowed-fetch.ts'
import { clientOf, type Fetch } from './session/api.ts'
import { revocableFetch } from './session/revocable-fetch.ts'
import { openStore } from './session/store.ts'
import type { TabWork } from './tab-work.ts'
import { readTakeDowns } from './take-downs/state.ts'
import { clearToolbar, followNotifications, showBadge, showNotification } from './tasks/toolbar.ts'
import { watch } from './tasks/watch.ts'
import { hasUnsent, pushOutbox } from './upload/push.ts'

const alarm = 'push'
const watchAlarm = 'watch'

/** Maximum age of the inventory cache while no page is open, in ms. */
const inventoryEveryMs = 15 * 60_000

/**
 * Adds all listeners. Must run in the worker's first turn, or a waking event is lost. `reach` sends the requests: the
 * web app passes its own. `tabWork`: what is done in tabs, which the web app leaves out.
 */
export function startWorker(reach: Fetch = (url, init) => fetch(url, init), tabWork?: TabWork): WorkerContext {
  const calls = revocableFetch(allowedFetch(reach, mayReach))
  const context: WorkerContext = {
    importQueue: openOnDemand(openImportQueue),
    inventory: openOnDemand(openInventoryCache),
    store: openStore(),
    fetch: calls.fetch,
    clientOf: (session, timeoutMs, onPart) => clientOf(session, calls.hold(), timeoutMs, onPart),
    now: () => Date.now(),
    random: () => Math.random(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    locks: navigator.locks,
    version: browser.runtime.getManifest().version,
    keyName: `Hapax extension (${browserName(navigator.userAgent)})`,
    push: (eager) => void push(context, eager).catch(report),
    checkEveryMinute: () => void checkEveryMinute(context).catch(report),
    openTab: async (url, active = true) => (await browser.tabs.create({ url, active })).id ?? null,
    closeTab: (tab) => browser.tabs.remove(tab).catch(() => {}),
    async frontPage() {
      const [front] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
      return front ? (front.url ?? '') : null
    },
    isTabOpen: (tab) =>
      browser.tabs.get(tab).then(
        () => true,
        () => false,
      ),
    sessionChanged() {
      calls.abort()
      publisher.restart()
      void tabWork?.announce(browser, context).catch(report)
    },
    clearTraces,
    badge: showBadge,
    notify: showNotification,
    agreeInTab: async (tab) => tabWork?.agreeInTab(browser, tab),
    loadFormFiller: async (tab) => tabWork?.loadFormFiller(browser, tab),
    takeDownNext: async () => tabWork?.takeDownNext(context),
    switchTakeDowns: async (platform, on) => tabWork?.switchTakeDowns(context, platform, on),
    publishOverview: () => publisher.overview(),
    publishFileRows: (done) => publisher.fileRows(done),
  }
  const publisher = publishNews(context)
  const handlers = { page: tabWork?.pageHandlers(context) ?? null, popup: popupHandlers(context) }
  // Before any message is handled: sign-in waits for it.
  void finishSigningOut(context).catch(report)
  const own = { id: browser.runtime.id, pages: browser.runtime.getURL('/') }

  browser.runtime.onMessage.addListener((message: unknown, sender: Sender) => answer(message, sender, own, handlers))
  browser.runtime.onConnect.addListener((port) => {
    if (!isOwnLine(port, own)) return port.disconnect()
    port.onDisconnect.addListener(() => publisher.leave(port))
    publisher.join(port)
  })
  browser.alarms.onAlarm.addListener((fired) => {
    if (fired.name === alarm) context.push()
    if (fired.name === watchAlarm) context.checkEveryMinute()
  })
  const begin = () => {
    context.push()
    context.checkEveryMinute()
  }
  browser.runtime.onStartup.addListener(() => {
    void clearTabs(context).catch(report)
    void tabWork?.endAttemptOfEarlierBrowser(context).catch(report)
    begin()
  })
  browser.runtime.onInstalled.addListener(begin)
  if (tabWork) {
    browser.tabs.onRemoved.addListener((tab) => void tabWork.endAttemptOfTab(context, tab).catch(report))
    browser.tabs.onUpdated.addListener((_, { status }, tab) => {
      if (status === 'complete' && tab.url) void tabWork.announce(browser, context, tab).catch(report)
    })
  }
  followNotifications()
  return context
}

/**
 * Uploads what is queued. The alarm is set first, so that a killed worker is woken to continue, and cleared when
 * nothing is left.
 */
async function push(context: WorkerContext, eager = false): Promise<void> {
  const importQueue = await context.importQueue()
  if (!(await hasUnsent(importQueue))) return clearAlarm()
  await browser.alarms.create(alarm, { periodInMinutes: 1 })
  const outcome = await pushOutbox({ ...context, importQueue }, eager)
  if (outcome.kind === 'later') {
    await browser.alarms.create(alarm, { when: outcome.retryAt, periodInMinutes: 1 })
  } else if (!(await hasUnsent(importQueue)) || outcome.kind === 'signed_out') {
    await clearAlarm()
  }
}

/**
 * Runs once a minute while a seller is signed in, and twice where listings end by themselves, so that a sold one ends
 * within the minute. The alarm is set first, so that it outlives this worker.
 */
async function checkEveryMinute(context: WorkerContext): Promise<void> {
  const endsListings = (await readTakeDowns(context.store)).on.length > 0
  const set = await browser.alarms.get(watchAlarm)
  if (!set || (set.periodInMinutes === 0.5) !== endsListings) {
    await browser.alarms.create(watchAlarm, { periodInMinutes: endsListings ? 0.5 : 1 })
  }
  await sendReports(context).catch(report)
  if (!(await watch(context))) return void (await browser.alarms.clear(watchAlarm))
  await context.takeDownNext()
  await refreshCatalogue(context, catalogueAgesMs.idle)
  const inventory = await context.inventory()
  const { ended_at = 0, phase = 'full' } = (await inventory.sync.get('sync')) ?? {}
  if (phase !== 'idle' || context.now() - ended_at > inventoryEveryMs) await sync(context)
}

/** Only extension pages may listen, not content scripts. */
function isOwnLine({ name, sender }: browser.Runtime.Port, own: { id: string; pages: string }): boolean {
  return name === livePort && sender?.id === own.id && Boolean(sender.url?.startsWith(own.pages))
}

/** Returns true if the browser permits requests to the server. */
function mayReach(server: string): Promise<boolean> {
  return browser.permissions.contains({ origins: [permissionPattern(server)] })
}

async function clearTraces(): Promise<void> {
  await browser.alarms.clearAll()
  await clearToolbar()
}

async function clearAlarm(): Promise<void> {
  await browser.alarms.clear(alarm)
}

function report(error: unknown): void {
  // Rethrow for the browser's extension page. Queued work stays stored until the next alarm.
  queueMicrotask(() => {
    throw error
  })
}

function browserName(userAgent: string): string {
  if (/\bFirefox\//.test(userAgent)) return 'Firefox'
  return /\bEdg\//.test(userAgent) ? 'Edge' : 'Chrome'
}
