import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'

const main = fileURLToPath(new URL('./commands/backup.ts', import.meta.url))

let database: TestDatabase
let empty: { url: string; drop(): Promise<void> }
let folder: string
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
  const name = `${new URL(database.url).pathname.slice(1)}_empty`
  const admin = openDatabase({ url: Object.assign(new URL(database.url), { pathname: '/postgres' }).href, max: 1 })
  await admin.none(`create database ${name}`)
  empty = {
    url: Object.assign(new URL(database.url), { pathname: `/${name}` }).href,
    async drop() {
      await admin.none(`drop database ${name} with (force)`)
      await closeDatabase(admin)
    },
  }
  folder = mkdtempSync(join(tmpdir(), 'hapax-backup-'))
  // Stand-ins, because the machine's programs may be older than the embedded server. They say how they were called.
  for (const program of ['pg_dump', 'pg_restore']) {
    const text = `#!/bin/sh\necho "${program} $*" > "${folder}/called"\necho "$PGHOST $PGUSER" >> "${folder}/called"\n[ "$PGPASSWORD" != a/b#c ] || echo "password $PGPASSWORD" >> "${folder}/called"\nexit \${FAILS:-0}\n`
    writeFileSync(join(folder, program), text, { mode: 0o755 })
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await empty?.drop()
  await database?.drop()
})

const run = (options: string[], environment: Record<string, string>) =>
  spawnSync(process.execPath, [main, ...options], {
    encoding: 'utf8',
    env: { PATH: `${folder}${delimiter}${process.env.PATH}`, ...environment },
  })
const called = () => readFileSync(join(folder, 'called'), 'utf8')

describe('npm run backup', () => {
  it('writes the database of DATABASE_URL and keeps its password out of the arguments', () => {
    const url = Object.assign(new URL(database.url), { password: 'hidden%20word' }).href
    const { status, stdout } = run(['backup', 'hapax.dump'], { DATABASE_URL: url, IMAGES_DIR: '/photos' })
    // The database takes no such password of ours, so the backup cannot be recorded.
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('copy the photos (/photos)') })
    expect(called()).toContain('pg_dump --format=custom --no-owner --file=hapax.dump --dbname=test_')
    expect(called()).not.toContain('hidden')
  })

  it('leaves a password of PGPASSWORD to the program', () => {
    const url = Object.assign(new URL(database.url), { password: '' }).href
    expect(run(['backup', 'hapax.dump'], { DATABASE_URL: url, PGPASSWORD: 'a/b#c' }).status).toBe(0)
    expect(called()).toContain('\npassword a/b#c\n')
  })

  it('says what to do where the program fails or is missing', () => {
    const environment = { DATABASE_URL: database.url }
    expect(run(['backup', 'x'], { ...environment, FAILS: '1' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("of the server's major version or newer"),
    })
    expect(run(['backup', 'x'], { ...environment, PATH: '/nowhere' })).toMatchObject({
      status: 1,
      stderr: 'pg_dump was not found. Install the client programs of PostgreSQL.\n',
    })
    expect(run(['backup'], environment)).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Name the place/) })
  })
})

describe('npm run restore', () => {
  it('refuses a database that has tables', () => {
    rmSync(join(folder, 'called'), { force: true })
    const { status, stderr } = run(['restore', 'hapax.dump'], { DATABASE_URL: database.url })
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/has \d+ tables already/) })
    expect(called).toThrow('ENOENT')
  })

  it('fills an empty one as a whole or not at all, and says to start paused', () => {
    const { status, stdout } = run(['restore', 'hapax.dump'], { DATABASE_URL: empty.url })
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('start with PAUSED=on') })
    expect(called()).toContain('pg_restore --no-owner --exit-on-error --single-transaction hapax.dump --dbname=test_')
  })
})
