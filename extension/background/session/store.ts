import { Dexie, type Table } from 'dexie'
import type { Storage } from 'webextension-polyfill'

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
export function openStore(area: Storage.StorageArea & LockableArea): Store {
  return area.setAccessLevel
    ? lockedArea(area, area.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' }))
    : ownDatabase()
}

interface LockableArea {
  setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>
}

function lockedArea(area: Storage.StorageArea, locked: Promise<void>): Store {
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

/** Opens a database of this origin as the store. */
export function ownDatabase(): Store {
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
