import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { until } from '#server/testing/until.ts'
import { workPatience } from './index.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

it('waits for a database that is slower to answer than work would wait: who starts has nobody to keep waiting', async () => {
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
    }, workPatience.connectionMs + 1_000)
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

/** A database of its own, and this build's migrations with more of them. */
async function stage(more: Record<string, string>) {
  const staged = await createTestDatabase({ bare: true, checked: false })
  onTestFinished(() => staged.drop())
  const directory = await mkdtemp(join(tmpdir(), 'hapax-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await cp(fileURLToPath(new URL('./migrations', import.meta.url)), directory, { recursive: true })
  for (const [name, text] of Object.entries(more)) await writeFile(join(directory, name), text)
  return { db: staged.db, url: staged.url, directory }
}

it('names a database that cannot be opened, without its password', async () => {
  const error = await migrate('postgres://ada:geheim@127.0.0.1:1/shop').catch((thrown: Error) => thrown)
  expect((error as Error).message).toMatch(
    /^The database shop at 127\.0\.0\.1:1 cannot be opened as ada: .*ECONNREFUSED/,
  )
  expect((error as Error).message).not.toContain('geheim')
})

describe('a migration', () => {
  it('gives way to requests while a backup holds its table, and is made after it', async () => {
    const { db, url, directory } = await stage({ '9001.do.note.sql': 'alter table app_user add column note text' })
    const backup = await db.connect()
    await backup.none('begin; lock table app_user in access share mode')
    let waits = 0
    let isOver = false
    const migrated = migrate(url, { directory, onWait: () => waits++, pauseMs: 1 }).finally(() => (isOver = true))
    // The failure is seen where it is awaited.
    migrated.catch(() => {})
    try {
      // As the old release reads meanwhile: a migration that waits for its lock holds it up, but not for as long as it bears.
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

  it('has no limit of time for its statements, and a short one for locks', async () => {
    const { db, url, directory } = await stage({
      '9001.do.seen.sql': `create table seen as select current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock`,
    })
    await migrate(url, { directory })
    expect(await db.one('select * from seen')).toEqual({ statement: '0', lock: '1s' })
  })

  it('waits for another process that migrates, without a transaction of its own', async () => {
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
  it('starts on a newer schema that it works with', async () => {
    const { db, url, directory } = await stage({ '9001.do.note.sql': 'alter table app_user add column note text' })
    await migrate(url, { directory })
    expect(await migrate(url)).toEqual({ from: 9001, to: 9001 })
    expect(await db.any('select note from app_user')).toEqual([])
  })

  it('refuses a schema that needs a newer one, and says which', async () => {
    const { url, directory } = await stage({
      '9001.do.contract.sql': 'update schema_compatibility set oldest_build = 9001',
    })
    await migrate(url, { directory })
    await expect(migrate(url)).rejects.toThrow(
      /newer than this Hapax: it is at migration 9001 .* migration 9001 or later/,
    )
  })
})
