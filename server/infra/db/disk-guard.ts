import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { problem } from '#server/infra/errors.ts'

/** Watches the disk of the embedded database. */
export interface DiskGuard {
  /** Returns whether only sales and take-downs may still write. */
  isLow(): boolean
  /** Throws 503 `unavailable` while the disk is low. */
  refuseIfLow(): void
  stop(): Promise<void>
}

const megabyte = 1_048_576
const fileName = 'disk-reserve'

/** Free bytes below which the disk is low. */
const lowBytes = 32 * megabyte

interface DiskGuardOptions {
  directory: string
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Size of the reserve. */
  reserveBytes?: number
  everyMs?: number
}

/**
 * Keeps a reserve file in `directory` and frees it when the disk runs low. PostgreSQL stops when it cannot extend its
 * log, and sold items must come down even on a full disk. Other writes are refused until the reserve fits again.
 */
export async function startDiskGuard({
  directory,
  log,
  reserveBytes = 64 * megabyte,
  everyMs = 500,
}: DiskGuardOptions): Promise<DiskGuard> {
  const file = join(directory, fileName)
  let low = false
  let free = 0
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout

  async function look(): Promise<void> {
    const { bavail, bsize } = await statfs(directory)
    free = bavail * bsize
    const kept = await sizeOf(file)
    if (!low && free < lowBytes) {
      low = true
      await rm(file, { force: true })
      log.error(
        { free_bytes: free },
        'the disk is nearly full: only sales and take-downs are written until there is room',
      )
    } else if (low && free >= lowBytes + reserveBytes - kept) {
      await fill(file, reserveBytes)
      low = false
      log.info('the disk has room again')
    } else if (!low && kept < reserveBytes && free >= lowBytes + reserveBytes - kept) await fill(file, reserveBytes)
  }

  const lookQuietly = () =>
    look().catch((error: unknown) => log.warn({ err: error }, 'the room on the disk could not be read'))
  /** Looks less often while nothing could fill the disk between two looks: ten times less with 10 GB. */
  const lookOn = async () => {
    await lookQuietly()
    if (stopped) return
    const waitMs = everyMs * Math.min(10, Math.max(1, free / (1_024 * megabyte)))
    timer = setTimeout(() => {
      running = lookOn()
    }, waitMs).unref()
  }
  await lookOn()
  return {
    isLow: () => low,
    refuseIfLow() {
      if (!low) return
      throw problem(
        'unavailable',
        'The server’s disk is nearly full. Only sales and take-downs go on until there is room.',
        {
          retryAfterSeconds: 30,
        },
      )
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** Writes zeros, since a sparse file would reserve nothing. Leaves no partial reserve. */
async function fill(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'w')
  try {
    const zeros = Buffer.alloc(megabyte)
    for (let written = 0; written < bytes; written += zeros.length) await handle.write(zeros)
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    throw error
  }
  await handle.close()
}
