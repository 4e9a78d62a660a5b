import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY: another process holds the lock. */
const busy = 5

/**
 * Locks a data folder for this process, and gives back what unlocks it. Throws when another process holds it, also one in
 * another container. The operating system holds the lock (SQLite takes it on an empty file) and releases it when
 * the process ends, however it ends; a file with a process id proves nothing across containers, where ids repeat.
 */
export function lockFolder(directory: string): () => void {
  const file = new DatabaseSync(join(directory, 'lock'), { timeout: 0 })
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode !== busy) throw error
    throw new Error(`Hapax is already running on ${directory}. Stop it first, or set DATA_DIR.`, { cause: error })
  }
  return () => {
    if (file.isOpen) file.close()
  }
}
