import browser from 'webextension-polyfill'
import { livePort } from '#extension/messaging/news.ts'
import { permissionPattern } from '#extension/messaging/server-address.ts'
import { scrapePlatformOf } from '#extension/platforms/registry.ts'
import { announce } from './announce.ts'
import { type Alarms, createWorker, report } from './create-worker.ts'
import { answer, type Sender } from './handlers/answer.ts'
import { pageHandlers } from './handlers/page-handlers.ts'
import { clearTabs } from './handlers/tab-task-handlers.ts'
import { openStore } from './session/store.ts'
import { agreeInTab } from './take-downs/agree-in-tab.ts'
import { endAttemptOfEarlierBrowser, endAttemptOfTab, switchTakeDowns, takeDownNext } from './take-downs/attempt.ts'
import { loadFormFiller } from './tasks/load-form-filler.ts'
import { clearToolbar, followNotifications, showBadge, showNotification } from './tasks/toolbar.ts'
import { schedulePush } from './upload/schedule-push.ts'

/** Starts the extension's worker. Must run in the worker's first turn, or a waking event is lost. */
export function startWorker(): void {
  const worker = createWorker({
    fetch: (url, init) => fetch(url, init),
    store: openStore(browser.storage.local),
    version: browser.runtime.getManifest().version,
    keyName: `Hapax extension (${browserName(navigator.userAgent)})`,
    mayReach: (server) => browser.permissions.contains({ origins: [permissionPattern(server)] }),
    alarms,
    openTab: async (url, active = true) => (await browser.tabs.create({ url, active })).id ?? null,
    async reuseTab(tab, page, url) {
      const { url: shown } = await browser.tabs.get(tab).catch(() => ({ url: null }))
      if (shown !== page) return false
      await browser.tabs.update(tab, { url, active: true })
      return true
    },
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
    readerOf: scrapePlatformOf,
    push: (eager) => void schedulePush(context, alarms, eager).catch(report),
    agreeInTab: (tab) => agreeInTab(browser, tab),
    loadFormFiller: (tab) => loadFormFiller(browser, tab),
    takeDownNext: () => takeDownNext(context),
    switchTakeDowns: (platform, on) => switchTakeDowns(context, platform, on),
    badge: showBadge,
    notify: showNotification,
    async clearTraces() {
      await browser.alarms.clearAll()
      await clearToolbar()
    },
    onSession: () => void announce(browser, context).catch(report),
  })
  const { context, publisher } = worker
  const handlers = { page: pageHandlers(context), popup: worker.handlers }
  const own = { id: browser.runtime.id, pages: browser.runtime.getURL('/') }

  browser.runtime.onMessage.addListener((message: unknown, sender: Sender) => answer(message, sender, own, handlers))
  browser.runtime.onConnect.addListener((port) => {
    if (!isOwnLine(port, own)) return port.disconnect()
    port.onDisconnect.addListener(() => publisher.leave(port))
    publisher.join(port)
  })
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === 'push' || name === 'watch') worker.ring(name)
  })
  const begin = () => {
    worker.ring('push')
    worker.ring('watch')
  }
  browser.runtime.onStartup.addListener(() => {
    void clearTabs(context).catch(report)
    void endAttemptOfEarlierBrowser(context).catch(report)
    begin()
  })
  browser.runtime.onInstalled.addListener(begin)
  browser.tabs.onRemoved.addListener((tab) => void endAttemptOfTab(context, tab).catch(report))
  browser.tabs.onUpdated.addListener((_, { status }, tab) => {
    if (status === 'complete' && tab.url) void announce(browser, context, tab).catch(report)
  })
  followNotifications()
}

const alarms: Alarms = {
  async set(name, periodInMinutes, when) {
    await browser.alarms.create(name, when === undefined ? { periodInMinutes } : { periodInMinutes, when })
  },
  minutesOf: async (name) => (await browser.alarms.get(name))?.periodInMinutes ?? null,
  async clear(name) {
    await browser.alarms.clear(name)
  },
}

/** Only extension pages may listen, not content scripts. */
function isOwnLine({ name, sender }: browser.Runtime.Port, own: { id: string; pages: string }): boolean {
  return name === livePort && sender?.id === own.id && Boolean(sender.url?.startsWith(own.pages))
}

function browserName(userAgent: string): string {
  if (/\bFirefox\//.test(userAgent)) return 'Firefox'
  return /\bEdg\//.test(userAgent) ? 'Edge' : 'Chrome'
}
