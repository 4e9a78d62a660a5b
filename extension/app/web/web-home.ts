import type { AlarmName, Alarms, WorkerHome } from '#extension/background/create-worker.ts'
import type { Fetch } from '#extension/background/session/api.ts'
import { ownDatabase } from '#extension/background/session/store.ts'
import { notificationText } from '#extension/background/tasks/notification-text.ts'

/** The parts of a worker that runs in a page of the seller's server. It knows no other tabs, and reads no shops. */
export function webHome(fetch: Fetch, ring: (alarm: AlarmName) => void): WorkerHome {
  const alarms = timers(ring)
  const notifications = new Set<Notification>()
  return {
    fetch,
    store: ownDatabase(),
    version: import.meta.env.VITE_VERSION ?? '',
    keyName: 'Hapax web app',
    mayReach: async () => true,
    alarms,
    async openTab(url, _active, task) {
      // The extension, which knows no tab of this page, fills in the form of the task that the address names.
      window.open(task ? `${url}#${task}` : url, '_blank', 'noopener')
      return null
    },
    reuseTab: async () => false,
    closeTab: async () => {},
    frontPage: async () => null,
    isTabOpen: async () => false,
    readerOf: () => null,
    push: () => {},
    agreeInTab: async () => {},
    loadFormFiller: async () => {},
    takeDownNext: async () => {},
    switchTakeDowns: async () => {},
    badge: showAppBadge,
    async notify(notification) {
      if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
      const { title, message, address } = notificationText(notification)
      const place = address ?? new URL('/app/#tasks', location.origin).href
      const shown = new Notification(title, {
        body: message,
        icon: new URL('/app/icon/128.png', location.origin).href,
        tag: place,
      })
      shown.onclick = () => {
        window.open(place, '_blank', 'noopener')
        shown.close()
      }
      notifications.add(shown)
    },
    async clearTraces() {
      await Promise.all((['push', 'watch'] as const).map((name) => alarms.clear(name)))
      await showAppBadge(null)
      for (const notification of notifications) notification.close()
      notifications.clear()
    },
    onSession: () => {},
  }
}

/** Alarms that last as long as the page. */
function timers(ring: (alarm: AlarmName) => void): Alarms {
  const set = new Map<AlarmName, { minutes: number; timers: ReturnType<typeof setTimeout>[] }>()
  const alarms: Alarms = {
    async set(name, minutes, when) {
      await alarms.clear(name)
      const act = () => ring(name)
      const first = when === undefined ? [] : [setTimeout(act, Math.max(0, when - Date.now()))]
      set.set(name, { minutes, timers: [...first, setInterval(act, minutes * 60_000)] })
    },
    minutesOf: async (name) => set.get(name)?.minutes ?? null,
    async clear(name) {
      for (const timer of set.get(name)?.timers ?? []) clearInterval(timer)
      set.delete(name)
    },
  }
  return alarms
}

/** Shows a number on the app's icon, or a dot while something is urgent. */
async function showAppBadge(count: number | null, isUrgent = false): Promise<void> {
  if (!('setAppBadge' in navigator)) return
  if (isUrgent) await navigator.setAppBadge()
  else if (count === null) await navigator.clearAppBadge()
  else await navigator.setAppBadge(Math.min(count, 99))
}
