/**
 * The part of the extensions' API that background/ and ui/ use, for a page of the server. The web app's build puts this module
 * in the place of webextension-polyfill, so that both homes run the same code: messages and live news stay inside the page.
 */
type Listener<Args extends unknown[], Result = unknown> = (...args: Args) => Result

/** An event of the extensions' API with its one use here: listeners are added, and called in order. */
function createEvent<Args extends unknown[], Result = unknown>() {
  const listeners = new Set<Listener<Args, Result>>()
  return {
    addListener: (listener: Listener<Args, Result>) => void listeners.add(listener),
    removeListener: (listener: Listener<Args, Result>) => void listeners.delete(listener),
    fire: (...args: Args) => [...listeners].map((listener) => listener(...args)),
  }
}

interface Port {
  name: string
  sender: { id: string; url: string }
  postMessage(message: unknown): void
  disconnect(): void
  onMessage: ReturnType<typeof createEvent<[unknown]>>
  onDisconnect: ReturnType<typeof createEvent<[Port]>>
}

const id = 'hapax-web'
const own = () => ({ id, url: new URL('/app/', location.origin).href })

const onMessage = createEvent<[unknown, unknown], Promise<unknown>>()
const onConnect = createEvent<[Port]>()
const onAlarm = createEvent<[{ name: string }]>()
const onNotificationClicked = createEvent<[string]>()
const alarms = new Map<string, ReturnType<typeof setInterval>>()
const notifications = new Map<string, Notification>()

/** Two ends of one line: what one posts, the other hears, in a later turn as between two processes. */
function connect({ name }: { name: string }): Port {
  const end = (): Port => ({
    name,
    sender: own(),
    postMessage: () => {},
    disconnect: () => {},
    onMessage: createEvent<[unknown]>(),
    onDisconnect: createEvent<[Port]>(),
  })
  const [page, worker] = [end(), end()]
  const join = (from: Port, to: Port) => {
    from.postMessage = (message) => queueMicrotask(() => to.onMessage.fire(message))
    from.disconnect = () => queueMicrotask(() => to.onDisconnect.fire(to))
  }
  join(page, worker)
  join(worker, page)
  queueMicrotask(() => onConnect.fire(worker))
  return page
}

function clearAlarm(name: string): boolean {
  clearInterval(alarms.get(name))
  return alarms.delete(name)
}

const browser = {
  runtime: {
    id,
    getURL: (path: string) => new URL(path.replace(/^\/?inventory\.html/, ''), `${location.origin}/app/`).href,
    getManifest: () => ({ version: '0.1.0' }),
    sendMessage: async (message: unknown) => onMessage.fire(message, own())[0],
    connect,
    onMessage,
    onConnect,
    onStartup: createEvent(),
    onInstalled: createEvent(),
  },
  // Without setAccessLevel the store is a database of this origin (background/session/store.ts).
  storage: { local: {} },
  alarms: {
    onAlarm,
    async create(name: string, { when, periodInMinutes }: { when?: number; periodInMinutes?: number }) {
      clearAlarm(name)
      if (when !== undefined) setTimeout(() => onAlarm.fire({ name }), Math.max(0, when - Date.now()))
      if (periodInMinutes)
        alarms.set(
          name,
          setInterval(() => onAlarm.fire({ name }), periodInMinutes * 60_000),
        )
    },
    get: async (name: string) => (alarms.has(name) ? { name } : undefined),
    clear: async (name: string) => clearAlarm(name),
    async clearAll() {
      for (const name of [...alarms.keys()]) clearAlarm(name)
    },
  },
  permissions: {
    contains: async () => true,
    request: async () => true,
    remove: async () => true,
  },
  tabs: {
    async create({ url }: { url: string }) {
      window.open(url, '_blank', 'noopener')
      return {}
    },
    get: () => Promise.reject(new Error('A page knows no other tabs.')),
    remove: () => Promise.reject(new Error('A page closes no other tabs.')),
    query: async () => [],
    onRemoved: createEvent<[number]>(),
    onUpdated: createEvent<[number, { status?: string }, { id?: number; url?: string }]>(),
  },
  action: {
    async setBadgeBackgroundColor() {},
    async setBadgeText({ text }: { text: string }) {
      if (!('setAppBadge' in navigator)) return
      const number = parseInt(text, 10)
      // A mark without a number is a dot here.
      await (text === ''
        ? navigator.clearAppBadge()
        : Number.isNaN(number)
          ? navigator.setAppBadge()
          : navigator.setAppBadge(number))
    },
  },
  notifications: {
    onClicked: onNotificationClicked,
    async create(name: string, { title, message, iconUrl }: { title: string; message: string; iconUrl: string }) {
      if (!('Notification' in globalThis) || Notification.permission !== 'granted') return name
      const shown = new Notification(title, { body: message, icon: iconUrl, tag: name })
      shown.onclick = () => onNotificationClicked.fire(name)
      notifications.set(name, shown)
      return name
    },
    getAll: async () => Object.fromEntries([...notifications.keys()].map((name) => [name, {}])),
    async clear(name: string) {
      notifications.get(name)?.close()
      return notifications.delete(name)
    },
  },
}

export { browser }
export default browser
