import type { Dexie } from 'dexie'

/** Opens a database on first use, and again after the browser closed it. */
export function openOnDemand<Database extends Dexie>(open: () => Promise<Database>): () => Promise<Database> {
  let opened: Promise<Database> | null = null
  return () => {
    opened ??= open().then(
      (database) => {
        database.on('close', () => {
          opened = null
        })
        return database
      },
      (error: unknown) => {
        opened = null
        throw error
      },
    )
    return opened
  }
}
