import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageFile, ImageStore } from './index.ts'

/** Stores images in a folder: `ab/img_ab…/800`. Several machines can share it over a network file system. */
export function createFolderStore(root: string): ImageStore {
  // Two characters of the random part, so that no folder has too many entries.
  const folderOf = (uid: string) => join(root, uid.slice(4, 6), uid)
  return {
    async put(uid: string, file: ImageFile, bytes: Buffer) {
      const folder = folderOf(uid)
      await mkdir(folder, { recursive: true })
      // Written beside and renamed, because a crash must not leave half a photo.
      const draft = join(folder, `.${file}-${randomUUID()}`)
      await writeFile(draft, bytes, { flush: true })
      await rename(draft, join(folder, file))
    },
    async get(uid: string, file: ImageFile) {
      try {
        return await readFile(join(folderOf(uid), file))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    remove: (uid: string) => rm(folderOf(uid), { recursive: true, force: true }),
  }
}
