import type { WorkerContext } from '#extension/background/context.ts'
import { clientOf } from '#extension/background/session/api.ts'
import { revocableFetch } from '#extension/background/session/revocable-fetch.ts'
import { type Session, writeSession } from '#extension/background/session/session.ts'
import type { Store } from '#extension/background/session/store.ts'
import { switchTakeDowns, takeDownNext } from '#extension/background/take-downs/attempt.ts'
import type { TaskNotification } from '#extension/background/tasks/decide-notification.ts'
import { pushOutbox } from '#extension/background/upload/push.ts'
import { scrapePlatformOf } from '#extension/platforms/registry.ts'
import { ImportQueue } from '#extension/storage/import-queue/database.ts'
import { InventoryCache } from '#extension/storage/inventory-cache/database.ts'
import { StandInServer } from './stand-in-server.ts'

/** An in-memory store that outlives the worker, like the browser's. */
function memoryStore(): Store & { names(): Promise<string[]> } {
  const values = new Map<string, string>()
  return {
    get: async (name) => (values.has(name) ? JSON.parse(values.get(name)!) : undefined),
    set: async (name, value) => void values.set(name, JSON.stringify(value)),
    clear: async () => values.clear(),
    names: async () => [...values.keys()],
  }
}

let number = 0

/** A worker's dependencies with a test clock. Stored data outlives `restart`. */
export interface Harness {
  server: StandInServer
  store: ReturnType<typeof memoryStore>
  importQueue: ImportQueue
  inventory: InventoryCache
  context: WorkerContext
  now: { value: number }
  /** Pushes that handlers requested; tests run them explicitly. */
  asked: { pushes: number; changes: number }
  /** Ids of tabs that the seller closed. */
  closed: Set<number>
  /** Badge, notifications, tabs and rows of a file that are done, as shown to the seller. */
  shown: {
    badge: number | null
    isUrgent: boolean
    notifications: TaskNotification[]
    tabs: string[]
    fileRows: number[]
    /** The address of the page in front; null without a window. */
    front: string | null
  }
  push(eager?: boolean): ReturnType<typeof pushOutbox>
  /** Replaces the worker, as after a kill. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Creates a signed-in worker and its stand-in server. */
export async function buildHarness(options: { server?: StandInServer; signedIn?: boolean } = {}): Promise<Harness> {
  const server = options.server ?? new StandInServer()
  const store = memoryStore()
  const name = `bench-${++number}`
  const now = { value: Date.UTC(2026, 0, 5) }
  const asked = { pushes: 0, changes: 0 }
  const closed: Harness['closed'] = new Set()
  const shown: Harness['shown'] = { badge: null, isUrgent: false, notifications: [], tabs: [], fileRows: [], front: '' }
  let importQueue = new ImportQueue(name)
  let inventory = new InventoryCache(`${name}-inventory`)
  // Look up `fetch` at each call, since tests replace it.
  const calls = revocableFetch((url, init) => server.fetch(url, init))
  const context: WorkerContext = {
    importQueue: async () => importQueue,
    inventory: async () => inventory,
    store,
    fetch: calls.fetch,
    clientOf: (session, timeoutMs, onPart) => clientOf(session, calls.hold(), timeoutMs, onPart),
    now: () => now.value,
    random: () => 0.5,
    sleep: async () => {},
    locks: navigator.locks,
    keyName: 'Hapax extension (Test)',
    version: '0.1.0',
    push: () => void asked.pushes++,
    checkEveryMinute: () => {},
    sessionChanged() {
      asked.changes++
      calls.abort()
    },
    clearTraces: async () => {
      shown.badge = null
      shown.notifications.length = 0
    },
    badge: async (count, isUrgent = false) => {
      Object.assign(shown, { badge: count, isUrgent })
    },
    openTab: async (url) => shown.tabs.push(url),
    reuseTab: async (tab, page, url) => {
      if (closed.has(tab) || shown.tabs[tab - 1] !== page) return false
      shown.tabs[tab - 1] = url
      return true
    },
    closeTab: async (tab) => void closed.add(tab),
    frontPage: async () => shown.front,
    isTabOpen: async (tab) => !closed.has(tab),
    notify: async (notification) => void shown.notifications.push(notification),
    readerOf: scrapePlatformOf,
    takeDownNext: () => takeDownNext(context),
    agreeInTab: async () => {},
    loadFormFiller: async () => {},
    switchTakeDowns: (platform, on) => switchTakeDowns(context, platform, on),
    publishOverview: () => {},
    publishFileRows: (done) => void shown.fileRows.push(done),
  }
  if (options.signedIn !== false) await writeSession(store, signedInTo(server))
  return {
    server,
    closed,
    store,
    context,
    now,
    asked,
    shown,
    get importQueue() {
      return importQueue
    },
    get inventory() {
      return inventory
    },
    push: (eager = true) => pushOutbox({ ...context, importQueue }, eager),
    async restart() {
      importQueue.close()
      importQueue = new ImportQueue(name)
      inventory.close()
      inventory = new InventoryCache(`${name}-inventory`)
    },
    async close() {
      await importQueue.delete()
      await inventory.delete()
    },
  }
}

/** Returns a session with a key that the server knows. */
export function signedInTo(server: StandInServer): Session {
  const { id, name, key } = server.createKey('Hapax extension (Test)')
  return {
    server: 'https://hapax.test',
    key,
    key_id: id,
    key_name: name,
    user: server.user,
    status: 'active',
    signed_in_at: 0,
  }
}
