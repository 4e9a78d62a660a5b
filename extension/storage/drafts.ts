import { Dexie, type EntityTable, type Table } from 'dexie'
import { openOnDemand } from './open-on-demand.ts'

/** A draft that this device keeps until the server has it. */
export interface Draft {
  /** Names it at the server, which makes one item of it however often it is sent. */
  key: string
  account: string
  /** Another app shared it, so it waits for the seller's press. */
  shared: boolean
  title: string
  made_at: number
  /** Why the server refused it, in words. Null while it waits for a network. */
  problem: string | null
}

/**
 * A photo of a draft: the file, and its address once it is uploaded. Photos have their own table, so that a list of drafts
 * does not read them all. Not every browser keeps files themselves.
 */
interface DraftPhoto {
  draft: string
  n: number
  bytes: ArrayBuffer
  type: string
  name: string
  url: string | null
}

class DraftsDatabase extends Dexie {
  drafts!: EntityTable<Draft, 'key'>
  photos!: Table<DraftPhoto, [draft: string, n: number]>

  constructor() {
    super('hapax-drafts')
    this.version(1).stores({ drafts: 'key', photos: '[draft+n]' })
  }
}

/** The drafts of this device. Nothing else has them, so no sign-out deletes those that the seller keeps. */
export const openDrafts = openOnDemand(async () => {
  const database = new DraftsDatabase()
  await database.open()
  return database
})

/** Returns the drafts of an account on this device, the newest first. */
export async function readDrafts(account: string): Promise<Draft[]> {
  const { drafts } = await openDrafts()
  return (await drafts.toArray()).filter((draft) => draft.account === account).sort((a, b) => b.made_at - a.made_at)
}

/** Returns the photos of a draft in their order, or the first `limit`. */
export async function photosOf(key: string, limit = Number.POSITIVE_INFINITY): Promise<DraftPhoto[]> {
  const { photos } = await openDrafts()
  return photos.where('[draft+n]').between([key, Dexie.minKey], [key, Dexie.maxKey]).limit(limit).toArray()
}

/** Keeps a draft with its photos, or nothing of it. A draft that is here already stays as it is. */
export async function keepDraft(draft: Draft, files: readonly File[]): Promise<void> {
  const kept = await Promise.all(
    files.map(async (file, n) => {
      const bytes = await file.arrayBuffer()
      return { draft: draft.key, n, bytes, type: file.type, name: file.name, url: null }
    }),
  )
  const { drafts, photos } = await openDrafts()
  await drafts.db.transaction('rw', drafts, photos, async () => {
    if (await drafts.get(draft.key)) return
    await photos.bulkAdd(kept)
    await drafts.add(draft)
  })
}

/** Removes what was shared and not kept by a press: another site may have sent it (app/web/public/sw.js). */
export async function removeShared(): Promise<void> {
  await globalThis.caches?.delete('hapax-shared')
  const { drafts } = await openDrafts()
  for (const { key, shared } of await drafts.toArray()) if (shared) await removeDraft(key)
}

/** Removes a draft with its photos. */
export async function removeDraft(key: string): Promise<void> {
  const { drafts, photos } = await openDrafts()
  await drafts.db.transaction('rw', drafts, photos, async () => {
    await drafts.delete(key)
    await photos.where('[draft+n]').between([key, Dexie.minKey], [key, Dexie.maxKey]).delete()
  })
}
