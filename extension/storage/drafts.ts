import { Dexie, type EntityTable } from 'dexie'
import { openOnDemand } from './open-on-demand.ts'

/** A photo of a draft: the file, and its address once it is uploaded. Not every browser keeps files themselves. */
export interface DraftPhoto {
  bytes: ArrayBuffer
  type: string
  name: string
  url: string | null
}

/** A draft that this device keeps until the server has it. */
export interface Draft {
  /** Names it at the server, which makes one item of it however often it is sent. */
  key: string
  /** The account that it is for. Null: another app shared it, and it waits for the seller's press. */
  account: string | null
  title: string
  photos: DraftPhoto[]
  made_at: number
  /** Why the server refused it, in words. Null while it waits for a network. */
  problem: string | null
}

class DraftsDatabase extends Dexie {
  drafts!: EntityTable<Draft, 'key'>

  constructor() {
    super('hapax-drafts')
    this.version(1).stores({ drafts: 'key' })
  }
}

/** The drafts of this device. Nothing else has them, so no sign-out deletes them. */
export const openDrafts = openOnDemand(async () => {
  const database = new DraftsDatabase()
  await database.open()
  return database
})
