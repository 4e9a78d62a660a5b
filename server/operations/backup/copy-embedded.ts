import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, lstat, mkdir, readdir, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { lockFolder } from '#server/infra/db/lock-folder.ts'
import { findDataFolder, findPostgresUser } from '#server/infra/db/postgres-programs.ts'
import { patientTimeouts } from '#server/infra/db/wait-for-database.ts'

/** Contents that PostgreSQL makes anew; its manual leaves them out of base backups. The log is copied apart. */
const leftOut =
  /^(?:pg_(?:wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/|postmaster\.(?:pid|opts)$|global\/pg_control$|.*\bpgsql_tmp)/
/** Is read by the recovery before anything else, so it is copied last. */
const controlFile = 'global/pg_control'
/** Of DATA_DIR: what belongs to one start, or is filled anew. */
const ofOneStart = /^(?:postgres$|lock|disk-reserve|.*\.log)/

/**
 * Copies everything in `directory` (DATA_DIR) to the new folder `target`, while Hapax runs: the embedded PostgreSQL as a
 * base backup, the photos of `images`, and the keys. A start on the copy recovers it to the moment when the copy ended.
 * The folder appears once it is whole.
 */
export async function backUpEmbedded(
  url: string,
  directory: string,
  images: string | null,
  target: string,
): Promise<void> {
  if (existsSync(target)) throw new Error(`${target} exists already. Name a new folder.`)
  const unfinished = `${target}.unfinished-${process.pid}`
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  try {
    await copyDatabase(url, join(directory, 'postgres'), join(unfinished, 'postgres'))
    for (const name of await readdir(directory)) {
      const path = join(directory, name)
      if (!ofOneStart.test(name) && path !== images) await copyAll(path, join(unfinished, name))
    }
    // After the database, so that every photo that it names is there.
    if (images !== null && existsSync(images)) await copyAll(images, join(unfinished, 'images'))
    await rename(unfinished, target)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Fills an absent or empty DATA_DIR, and the folder of photos, from a folder of `backUpEmbedded`. */
export async function restoreEmbedded(source: string, directory: string, images: string | null): Promise<void> {
  if (!existsSync(join(source, 'postgres', 'PG_VERSION'))) {
    throw new Error(`${source} is no backup of the embedded PostgreSQL. Set DATABASE_URL to restore a dump.`)
  }
  await mkdir(directory, { recursive: true })
  const unlock = lockFolder(directory)
  try {
    const there = (await readdir(directory)).filter((name) => !name.startsWith('lock'))
    if (there.length > 0) throw new Error(`${directory} has ${there[0]} already. Restore into an empty DATA_DIR.`)
    const user = await findPostgresUser()
    const data = await findDataFolder(directory, user)
    await copyAll(join(source, 'postgres'), data)
    await chmod(data, 0o700)
    if (user) for (const path of await pathsIn(data)) await chown(path, user.uid, user.gid)
    for (const name of await readdir(source)) {
      if (name === 'postgres') continue
      await copyAll(join(source, name), name === 'images' && images !== null ? images : join(directory, name))
    }
  } finally {
    unlock()
  }
}

/** Makes a base backup by PostgreSQL's low-level way: files between two calls, then the log that was written meanwhile. */
async function copyDatabase(url: string, linked: string, target: string): Promise<void> {
  const source = (await lstat(linked)).isSymbolicLink() ? await readlink(linked) : linked
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-backup', timeouts: patientTimeouts })
  try {
    // One session: its end drops the slot, which keeps the log meanwhile, and gives the backup up.
    await db.task(async (session) => {
      await session.one("select pg_create_physical_replication_slot('hapax_backup', true, true)")
      const { first } = await session.one<{ first: string }>(
        "select pg_walfile_name(pg_backup_start('hapax', fast => true)) as first",
      )
      await copyAll(source, target, leftOut)
      await copyAll(join(source, controlFile), join(target, controlFile))
      const end = await session.one<{ last: string; labelfile: string }>(
        'select pg_walfile_name(lsn) as last, labelfile from pg_backup_stop(wait_for_archive => false)',
      )
      await writeFile(join(target, 'backup_label'), end.labelfile, { mode: 0o600 })
      for (const name of await readdir(join(source, 'pg_wal'))) {
        const isNeeded = name >= first && name <= end.last && /^[0-9A-F]{24}$/.test(name)
        if (isNeeded || name.endsWith('.history'))
          await copyOne(join(source, 'pg_wal', name), join(target, 'pg_wal', name))
      }
    })
  } finally {
    await closeDatabase(db)
  }
}

/** Copies a file or folder with its modes, without the names below it that `left` matches. */
async function copyAll(from: string, to: string, left = /^$/): Promise<void> {
  for (const path of await pathsIn(from)) {
    const name = relative(from, path).replaceAll('\\', '/')
    if (name === '' || !left.test(name)) await copyOne(path, join(to, name))
  }
}

/** Copies a file or makes a folder. One that Hapax or PostgreSQL has removed meanwhile is not needed. */
async function copyOne(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => null)
  if (found?.isDirectory()) await mkdir(to, { recursive: true, mode: found.mode })
  else if (found) await copyFile(from, to).catch((error: unknown) => ignoreMissing(error, from))
}

function ignoreMissing(error: unknown, path: string): void {
  if (existsSync(path)) throw error
}

/** Returns a path and everything below it, parents first. */
async function pathsIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  return [path, ...(await readdir(path, { recursive: true })).map((name) => join(path, name)).sort()]
}
