import { rename, rm } from 'node:fs/promises'

/** Puts a finished file or folder into the place of the old one, which stays there until then. */
export async function putInPlace(finished: string, place: string): Promise<void> {
  const old = `${place}.old`
  await rm(old, { recursive: true, force: true })
  await rename(place, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(finished, place)
  await rm(old, { recursive: true, force: true })
}
