import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from './embedded.ts'
import { closeDatabase, openDatabase } from './index.ts'
import { processesIn } from './testing/processes-in.ts'

const isWindows = process.platform === 'win32'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(memoryFolder(), 'hapax-embedded-'))
})
afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))

it('starts in a folder whose first start was killed', async () => {
  const starting = `import { startEmbeddedDatabase } from '${new URL('./embedded.ts', import.meta.url).href}'
await startEmbeddedDatabase(process.argv[1])`
  const first = spawn(process.execPath, ['--input-type=module', '-e', starting, directory], {
    detached: true,
    stdio: 'ignore',
  })
  await until(
    async () =>
      (await readdir(directory, { recursive: true }).catch(() => [])).filter((file) => file.endsWith('PG_VERSION')),
    ({ length }) => length > 0,
  )
  process.kill(-first.pid!, 'SIGKILL')
  await once(first, 'exit')

  const database = await startEmbeddedDatabase(directory, { throwaway: true })
  try {
    const db = openDatabase({ url: database.url, max: 1 })
    expect(await db.one('select 1 as one')).toEqual({ one: 1 })
    await closeDatabase(db)
  } finally {
    await database.stop()
  }
  expect((await readdir(directory)).sort()).toEqual(['lock', 'postgres', 'postgres-password'])
})

it('reports that it ended unexpectedly and stops without waiting', async () => {
  const database = await startEmbeddedDatabase(directory, { throwaway: true })
  const pid = Number((await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGKILL')
  expect((await database.ended).message).toContain('ended by itself (SIGKILL)')
  await database.stop()
})

it('ends without quoting rows in its reason', async () => {
  const database = await startEmbeddedDatabase(directory, { throwaway: true })
  const db = openDatabase({ url: database.url, max: 1 })
  await db.none('create table if not exists person (email text primary key)')
  await db.none("insert into person values ('secret@example.com') on conflict do nothing")
  await expect(db.none("insert into person values ('secret@example.com')")).rejects.toMatchObject({ code: '23505' })
  await expect(db.none("select 1 / 0 from person where email = 'secret@example.com'")).rejects.toThrow(
    'division by zero',
  )
  await closeDatabase(db)
  const pid = Number((await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGKILL')
  const { message } = await database.ended
  expect(message).toContain('duplicate key value')
  expect(message).toContain('division by zero')
  expect(message).not.toContain('secret@example.com')
  await database.stop()
})
it('keeps the password to itself while it creates the data', async () => {
  const [fresh, temporary] = [join(directory, 'private'), join(directory, 'tmp')]
  await mkdir(temporary)
  await chmod(temporary, 0o777)
  const seen = new Set<string>()
  const usual = process.env.TMPDIR
  process.env.TMPDIR = temporary
  const looking = setInterval(async () => {
    for (const name of await readdir(temporary)) seen.add(name)
    for (const name of await readdir(fresh).catch(() => [])) {
      if (!name.startsWith('postgres.new-')) continue
      const { mode } = await stat(join(fresh, name)).catch(() => ({ mode: 0o700 }))
      seen.add((mode & 0o777).toString(8))
    }
  }, 5)
  try {
    const database = await startEmbeddedDatabase(fresh, { throwaway: true })
    await database.stop()
  } finally {
    clearInterval(looking)
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
  expect([...seen]).toEqual(['700'])
})

it('starts over the pid file of a killed server whose pid another program has', async () => {
  const file = join(directory, 'postgres', 'postmaster.pid')
  await writeFile(file, `${process.pid}\n${join(directory, 'postgres')}\n1790000000\n1\n\n127.0.0.1\n`)
  const database = await startEmbeddedDatabase(directory, { throwaway: true })
  await database.stop()
})

it('ends with a process that exits without stopping it', async () => {
  const exiting = `import { startEmbeddedDatabase } from '${new URL('./embedded.ts', import.meta.url).href}'
await startEmbeddedDatabase(process.argv[1])
process.exit(3)`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', exiting, directory])
  expect(status).toBe(3)
  await until(
    () => processesIn(directory),
    ({ length }) => length === 0,
  )
})

it('runs in a folder that only its user can enter, for root as well', async () => {
  const home = await mkdtemp(join(tmpdir(), 'hapax-home-'))
  const shared = join(directory, 'shared')
  const folder = join(home, 'data')
  try {
    for (let start = 1; start <= 2; start++) {
      const database = await startEmbeddedDatabase(folder, { throwaway: true, shared })
      const db = openDatabase({ url: database.url, max: 1 })
      try {
        if (start === 1) await db.none('create table kept (id integer)')
        expect(await db.any('select * from kept')).toEqual([])
        expect(await findEmbeddedDatabase(folder)).toBe(database.url)
      } finally {
        await closeDatabase(db)
        await database.stop()
      }
    }
    expect((await stat(home)).mode & 0o777).toBe(isWindows ? 0o666 : 0o700)
    // As root PostgreSQL runs as the user postgres, who cannot enter: its data is elsewhere. Nobody else needs that.
    const isElsewhere = (await lstat(join(folder, 'postgres'))).isSymbolicLink()
    expect(isElsewhere).toBe(process.getuid?.() === 0)
    if (!isElsewhere) return
    expect(await readlink(join(folder, 'postgres'))).toContain(shared)
    expect((await readdir(shared)).map((name) => name.replace(/-.*/, '')).sort()).toEqual(['data'])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

it.each(['EADDRNOTAVAIL', 'ENETUNREACH'])(
  'names a missing loopback address (%s) before everything else',
  async (code) => {
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      process.nextTick(() => this.emit('error', Object.assign(new Error(code), { code })))
      return this
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(startEmbeddedDatabase(directory)).rejects.toThrow(
      /^The embedded PostgreSQL cannot start: this machine has no address 127\.0\.0\.1/,
    )
  },
)
