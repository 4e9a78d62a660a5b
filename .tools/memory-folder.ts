import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const sharedMemory = '/dev/shm'
/** Several times what a run leaves there. Containers often have 64 MB. */
const roomBytes = 3 * 2 ** 30

/**
 * Returns a folder for the databases and browser profiles of tests: TESTS_IN_MEMORY, or one in memory where Linux has room
 * for them, or the ordinary one. A test database has 860 files, and a disk takes ten times as long to create and remove them.
 */
export function memoryFolder(): string {
  const given = process.env.TESTS_IN_MEMORY
  if (given) return given
  try {
    accessSync(sharedMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(sharedMemory)
    return bavail * bsize >= roomBytes ? sharedMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}
