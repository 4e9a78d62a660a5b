import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { until } from '#e2e/harness/until.ts'
import { workTimeouts } from './index.ts'
import { migrate, newestMigration, statementsOf } from './migrate.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

it('waits for a slow database', async () => {
  const { connectionMs } = workTimeouts
  onTestFinished(() => void Object.assign(workTimeouts, { connectionMs }))
  workTimeouts.connectionMs = 500
  const { hostname, port } = new URL(database.url)
  const sockets = new Set<Socket>()
  let waited = 0
  const slow = createServer((client) => {
    sockets.add(client.on('error', () => {}))
    client.pause()
    setTimeout(() => {
      waited++
      const server = connect(Number(port), hostname)
      sockets.add(server.on('error', () => client.destroy()))
      client.pipe(server).pipe(client)
    }, 1_000)
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const url = new URL(database.url)
  url.host = `127.0.0.1:${(slow.address() as { port: number }).port}`
  try {
    await migrate(url.href)
    expect(waited).toBe(1)
  } finally {
    for (const socket of sockets) socket.destroy()
    slow.close()
  }
})

/** Creates a database, and copies this build's migrations and routines with more of them. */
async function stage(migrations: Record<string, string>, routines: Record<string, string> = {}) {
  const staged = await createTestDatabase({ bare: true, checked: false })
  onTestFinished(() => staged.drop())
  return {
    db: staged.db,
    url: staged.url,
    directory: await copy('./migrations', migrations),
    routines: await copy('./functions', routines),
  }
}

async function copy(folder: string, more: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hapax-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await cp(fileURLToPath(new URL(folder, import.meta.url)), directory, { recursive: true })
  for (const [name, text] of Object.entries(more)) await writeFile(join(directory, name), text)
  return directory
}

it('names a database that cannot be opened, without its password', async () => {
  const error = await migrate('postgres://ada:geheim@127.0.0.1:1/shop').catch((thrown: Error) => thrown)
  expect((error as Error).message).toMatch(
    /^The database shop at 127\.0\.0\.1:1 cannot be opened as ada: .*ECONNREFUSED/,
  )
  expect((error as Error).message).not.toContain('geheim')
})

it('names the setting whose address cannot be opened', async () => {
  const url = 'postgres://ada:geheim@127.0.0.1:1/shop'
  await expect(migrate(url, { setting: 'DATABASE_DIRECT_URL' })).rejects.toThrow(/Check DATABASE_DIRECT_URL\.$/)
  await expect(migrate(url)).rejects.not.toThrow('Check')
})

it('refuses a database that is half distributed', async () => {
  const { db, url } = await stage({})
  await db.none('create schema distribution')
  await expect(migrate(url)).rejects.toThrow('npm run distribute')
})

describe('a migration', () => {
  it('is sent statement by statement', () => {
    const script = [
      '-- One.\ncreate table one (id integer);\n',
      'create or replace function two() returns trigger language plpgsql as $$\nbegin\n  update one set id = 1;\n  return null;\nend\n$$;\n',
      '\n-- Three.\ncreate function three() returns void language sql\nbegin atomic\n  insert into one values (1);\nend;\n',
      'insert into one\nselect 1;\n',
    ]
    expect(statementsOf(script.join(''))).toEqual(script)
  })

  it('is rolled back when the start is stopped', async () => {
    const { db, url, directory } = await stage({ '9001.do.slow.sql': 'select pg_sleep(100);\ncreate table slow ()' })
    const stopping = new AbortController()
    const migrated = migrate(url, { directory, signal: stopping.signal }).catch((error: Error) => error)
    await until(
      () => db.any("select from pg_stat_activity where query like '%pg_sleep(100)%' and pid <> pg_backend_pid()"),
      ({ length }) => length > 0,
    )
    stopping.abort(new Error('asked to stop'))
    expect(await migrated).toEqual(new Error('asked to stop'))
    expect(await db.one("select to_regclass('slow') as made")).toEqual({ made: null })
    // It sleeps on until it answers its client, who has left without waiting.
    const ended = await db.any(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(100)%' and pid <> pg_backend_pid()",
    )
    expect(ended).toHaveLength(1)
  })

  it('yields to requests while a backup locks its table', async () => {
    const { db, url, directory } = await stage({ '9001.do.note.sql': 'alter table app_user add column note text' })
    const backup = await db.connect()
    await backup.none('begin; lock table app_user in access share mode')
    let waits = 0
    let isOver = false
    const migrated = migrate(url, { directory, onWait: () => waits++, pauseMs: 1 }).finally(() => (isOver = true))
    // The failure is handled where it is awaited.
    migrated.catch(() => {})
    try {
      // Reads as the old release does: a waiting migration delays it, but less than its timeout.
      while (waits < 3 && !isOver) {
        await db.tx(async (tx) => {
          await tx.none("set local lock_timeout = '5s'")
          await tx.any('select id from app_user')
        })
      }
    } finally {
      await backup.none('commit')
      backup.done()
    }
    expect(await migrated).toMatchObject({ to: 9001 })
    expect(await db.any('select note from app_user')).toEqual([])
  })

  it('has no statement timeout and a short lock timeout', async () => {
    const { db, url, directory } = await stage({
      '9001.do.seen.sql': `create table seen as select current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock`,
    })
    await migrate(url, { directory })
    expect(await db.one('select * from seen')).toEqual({ statement: '0', lock: '1s' })
  })

  it('runs once and in order when two servers start at once', async () => {
    const { db, url, directory } = await stage({
      '9001.do.steps.sql': 'create table step (id integer generated always as identity, name text)',
      '9002.do.first.sql': "insert into step (name) values ('first')",
      '9010.do.second.sql': "insert into step (name) select 'after ' || name from step",
    })
    const migrated = await Promise.all([migrate(url, { directory }), migrate(url, { directory })])
    const from = await newestMigration()
    expect(migrated.sort((one, other) => one.from - other.from)).toEqual([
      { from, to: 9010 },
      { from: 9010, to: 9010 },
    ])
    expect(await db.map('select name from step order by id', [], ({ name }) => name)).toEqual(['first', 'after first'])
  })

  it('waits for another migrating process outside a transaction', async () => {
    const { db, url, directory } = await stage({ '9001.do.note.sql': 'alter table app_user add column note text' })
    const other = await db.connect()
    await other.any('select pg_advisory_lock(48011971)')
    const reasons: string[] = []
    const migrated = migrate(url, { directory, onWait: (reason) => reasons.push(reason) })
    await until(() => reasons.length === 1)
    await until(
      () =>
        db.any(
          "select from pg_stat_activity where application_name = 'hapax-migrate' and datname = current_database() and state = 'idle'",
        ),
      ({ length }) => length === 1,
    )
    await other.any('select pg_advisory_unlock(48011971)')
    other.done()
    expect(await migrated).toMatchObject({ to: 9001 })
  })
})

describe('an older build', () => {
  it('starts on a newer compatible schema', async () => {
    const { db, url, directory } = await stage({ '9001.do.note.sql': 'alter table app_user add column note text' })
    await migrate(url, { directory })
    expect(await migrate(url)).toEqual({ from: 9001, to: 9001 })
    expect(await db.any('select note from app_user')).toEqual([])
  })

  it('refuses a newer incompatible schema and names it', async () => {
    const { url, directory } = await stage({
      '9001.do.contract.sql': 'update schema_compatibility set oldest_build = 9001',
    })
    await migrate(url, { directory })
    await expect(migrate(url)).rejects.toThrow(
      /newer than this Hapax: it is at migration 9001 .* migration 9001 or later/,
    )
  })
})

describe('functions and triggers', () => {
  const answer = (value: number) =>
    `create or replace function answer() returns integer language sql as 'select ${value}';`

  it('are replaced when their file changes, without a migration', async () => {
    const { db, url, directory, routines } = await stage({}, { 'answer.sql': answer(41) })
    await migrate(url, { directory, routines })
    await writeFile(join(routines, 'answer.sql'), answer(42))
    await migrate(url, { directory, routines })
    expect(await db.one('select answer()')).toEqual({ answer: 42 })
  })

  it('are made again after a migration that dropped one', async () => {
    const { db, url, directory, routines } = await stage({}, { 'answer.sql': answer(41) })
    await migrate(url, { directory, routines })
    await writeFile(join(directory, '9001.do.drop.sql'), 'drop function answer()')
    await migrate(url, { directory, routines })
    expect(await db.one('select answer()')).toEqual({ answer: 41 })
  })

  it('stay as they are when nothing changed', async () => {
    const { db, url, directory, routines } = await stage({}, { 'answer.sql': answer(41) })
    await migrate(url, { directory, routines })
    await db.none('drop function answer()')
    await migrate(url, { directory, routines })
    await expect(db.one('select answer()')).rejects.toThrow('does not exist')
  })

  it('are each in the file of their name', async () => {
    const directory = fileURLToPath(new URL('./functions', import.meta.url))
    for (const name of await readdir(directory)) {
      const text = await readFile(join(directory, name), 'utf8')
      const functions = [...text.matchAll(/^create or replace function (\w+)/gm)].map((match) => `${match[1]}.sql`)
      expect(functions).toEqual([name])
    }
  })
})

it('refuses a migration whose file changed after it ran', async () => {
  const { url, directory } = await stage({ '9001.do.note.sql': 'alter table app_user add column note text' })
  await migrate(url, { directory })
  await writeFile(join(directory, '9001.do.note.sql'), 'alter table app_user add column remark text')
  await expect(migrate(url, { directory })).rejects.toThrow(/MD5 checksum failed for migration \[9001\]/)
})
