import { Dexie, type Table } from 'dexie'
import browser from 'webextension-polyfill'

/** Key-value store of the extension, out of reach of pages and content scripts. */
export interface Store {
  get(name: string): Promise<unknown>
  set(name: string, value: unknown): Promise<void>
  clear(): Promise<void>
}

/**
 * Opens the safest store of this browser. Chrome and Edge can lock storage.local against content scripts. Firefox
 * cannot, so it uses a database of the extension's origin. Every use awaits the lock.
 */
export function openStore(): Store {
  const area = browser.storage.local as typeof browser.storage.local & LockableArea
  return area.setAccessLevel
    ? lockedArea(area, area.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' }))
    : ownDatabase()
}

interface LockableArea {
  setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>
}

function lockedArea(area: typeof browser.storage.local, locked: Promise<void>): Store {
  return {
    async get(name) {
      await locked
      return (await area.get(name))[name]
    },
    async set(name, value) {
      await locked
      await area.set({ [name]: value })
    },
    async clear() {
      await locked
      await area.clear()
    },
  }
}

function ownDatabase(): Store {
  const database = new Dexie('hapax-session')
  database.version(1).stores({ values: '' })
  const values: Table<unknown, string> = database.table('values')
  return {
    get: (name) => values.get(name),
    async set(name, value) {
      await values.put(value, name)
    },
    clear: () => values.clear(),
  }
}
