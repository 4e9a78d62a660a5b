import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '#server/testing/until.ts'
import { startEmbeddedDatabase } from './embedded.ts'
import { closeDatabase, openDatabase } from './index.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hapax-embedded-'))
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
