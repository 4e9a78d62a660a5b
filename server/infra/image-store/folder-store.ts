import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageFile, ImageStore } from './image-store.ts'

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
    get: (uid: string, file: ImageFile) => readFile(join(folderOf(uid), file)).catch(nullIfAbsent),
    async open(uid: string, file: ImageFile) {
      const handle = await open(join(folderOf(uid), file)).catch(nullIfAbsent)
      if (!handle) return null
      try {
        const { size: bytes } = await handle.stat()
        // Closes the file when it ends or is destroyed.
        return { stream: handle.createReadStream(), bytes }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    remove: (uid: string) => rm(folderOf(uid), { recursive: true, force: true }),
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
