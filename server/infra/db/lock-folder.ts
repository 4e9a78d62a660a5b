import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY: another process holds the lock. */
const busy = 5

/**
 * Locks a data folder for this process and returns how to unlock it. Throws if another process holds it, even in
 * another container. SQLite locks an empty file, and the operating system releases the lock when the process ends. A
 * pid file would prove nothing across containers, where pids repeat.
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
