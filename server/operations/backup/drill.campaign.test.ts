import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { documentedCommands } from '#e2e/harness/documented-commands.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { startServerProcess } from '#e2e/harness/server-process.ts'
import { until } from '#e2e/harness/until.ts'
import { closeDatabase, type Database, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { dumpSchema } from '#server/infra/db/testing/dump-schema.ts'
import { memoryFolder } from '#tools/memory-folder.ts'

/** The embedded PostgreSQL brings no pg_dump, so the drill runs on a server that is installed with its own. */
const installed = globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql@*/bin'])
  .filter((bin) => ['pg_dump', 'pg_restore', 'initdb', 'postgres'].every((program) => existsSync(join(bin, program))))
  .filter((bin) => Number(/(\d+)\D*\/bin$/.exec(bin)?.[1]) >= 15)
  .sort()
  .at(-1)
const command = fileURLToPath(new URL('./commands/backup.ts', import.meta.url))

/** Starts a new cluster of the installed PostgreSQL. */
async function startInstalled(bin: string): Promise<{ at: (name: string) => string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(memoryFolder(), 'hapax-drill-'))
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  mkdirSync(data)
  // PostgreSQL refuses to run as root.
  const as =
    process.getuid?.() === 0
      ? { uid: idOf('-u'), gid: idOf('-g') }
      : { uid: process.getuid?.(), gid: process.getgid?.() }
  execFileSync('chown', [`${as.uid}:${as.gid}`, data])
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'hapax', '--auth=trust', '--encoding=UTF8', '--locale=C'], {
    ...as,
    stdio: 'ignore',
  })
  const port = await freePorts(1)
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...as,
    stdio: 'ignore',
  })
  await until(() => spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0)
  return {
    at: (name) => `postgres://hapax:none@127.0.0.1:${port}/${name}`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))

function open(url: string): Database {
  const db = openDatabase({ url, max: 2 })
  onTestFinished(() => closeDatabase(db))
  return db
}

const countRows = async (db: Database) => {
  const tables = await db.map<string>(
    "select tablename from pg_tables where schemaname = 'public'",
    [],
    (row) => row.tablename,
  )
  const counts = tables.map(async (table) => [table, (await db.one('select count(*) from $1:name', [table])).count])
  return Object.fromEntries(await Promise.all(counts))
}

/** Returns the commands of the page for the container of the database, to run against another server. */
function composeCommands(): string[] {
  return documentedCommands()
    .filter(({ heading }) => heading === 'Backup and restore')
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => line.startsWith('docker compose exec -T database '))
    .map((line) => line.replace('docker compose exec -T database ', ''))
}

describe.skipIf(!installed)(
  `the drill of a backup${installed ? '' : ' (skipped: no PostgreSQL 15 or newer is installed)'}`,
  () => {
    const bin = installed ?? ''
    let cluster: Awaited<ReturnType<typeof startInstalled>>
    /** Returns the address of a database. */
    const at = (name: string) => cluster.at(name)
    beforeAll(async () => {
      cluster = await startInstalled(bin)
    })
    afterAll(() => cluster?.stop())

    it('brings back everything by the schedule for Docker, or nothing', async () => {
      const admin = open(at('postgres'))
      await admin.none('create database hapax')
      await migrate(at('hapax'))
      const original = openDatabase({ url: at('hapax'), max: 2 })
      await buildAccount(original)
      await original.none('insert into last_backup default values')
      const [counts, schema] = [await countRows(original), await dumpSchema(original)]
      const folder = mkdtempSync(join(tmpdir(), 'hapax-dump-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const { hostname, port } = new URL(at('hapax'))
      const run = (command: string) =>
        spawnSync('sh', ['-c', command], {
          ...{ cwd: folder, encoding: 'utf8' as const },
          env: { PATH: `${bin}${delimiter}${process.env.PATH}`, PGHOST: hostname, PGPORT: port },
        })
      const [restore, ...others] = composeCommands()
      expect(others).toEqual([])
      mkdirSync(join(folder, 'images/a'), { recursive: true })
      writeFileSync(join(folder, 'images/a/800'), 'a photo')
      const script = fileURLToPath(new URL('../../../ops/backup.sh', import.meta.url))
      const places = `BACKUPS=backups IMAGES=images BACKUPS_KEPT=2 PGUSER=hapax PGDATABASE=hapax`
      mkdirSync(join(folder, 'backups'))
      for (const _ of [1, 2, 3]) {
        expect(run(`${places} sh ${script} once`)).toMatchObject({ status: 0 })
      }
      const dumps = readdirSync(join(folder, 'backups')).filter((name) => name.endsWith('.dump'))
      expect(dumps).toHaveLength(2)
      expect(readFileSync(join(folder, 'backups/images/a/800'), 'utf8')).toBe('a photo')
      const { age } = await original.one(
        'select extract(epoch from now() - finished_at)::integer as age from last_backup',
      )
      expect(age).toBeLessThan(120)
      // Into a database that has tables: refused as a whole.
      const ofNewest = restore!.replace('backups/NAME.dump', join('backups', dumps.at(-1)!))
      expect(run(ofNewest).status).not.toBe(0)
      expect(await countRows(original)).toEqual(counts)
      await closeDatabase(original)
      await admin.none('drop database hapax with (force)')
      await admin.none('create database hapax')
      expect(run(ofNewest)).toMatchObject({ status: 0, stderr: '' })
      const restored = open(at('hapax'))
      expect(await countRows(restored)).toEqual(counts)
      expect(await dumpSchema(restored)).toBe(schema)
    })

    it('brings back everything, and the copy answers while paused', async () => {
      const admin = open(at('postgres'))
      await admin.none('create database original')
      await admin.none('create database restored')
      await migrate(at('original'))
      const original = open(at('original'))
      const account = await buildAccount(original)
      const server = await startServerProcess({ DATABASE_URL: at('original'), ROLE: 'api' })
      const created = await apiOf(server.url)('POST', '/api/v1/inventory/', {
        headers: account.key,
        body: {
          ...{ title: 'Grüner Mantel 🧥', images: ['https://pictures.example/1.jpg'] },
          ...{ condition: { label: 'Good' }, offer: { price_minor: 8_500, currency: 'USD' } },
        },
      })
      expect(created.status).toBe(201)
      await server.end()

      const folder = mkdtempSync(join(tmpdir(), 'hapax-dump-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const run = (what: 'backup' | 'restore', name: string) =>
        spawnSync(process.execPath, [command, what, join(folder, 'hapax.dump')], {
          encoding: 'utf8',
          env: { PATH: `${bin}${delimiter}${process.env.PATH}`, DATABASE_URL: at(name) },
        })
      const counts = await countRows(original)
      expect(run('backup', 'original')).toMatchObject({ status: 0, stderr: '' })
      expect(run('restore', 'restored')).toMatchObject({ status: 0, stderr: '' })
      const restored = open(at('restored'))
      expect(await dumpSchema(restored)).toBe(await dumpSchema(original))
      expect(await countRows(restored)).toEqual(counts)

      const copy = await startServerProcess({ DATABASE_URL: at('restored'), PAUSED: 'on' })
      onTestFinished(async () => void (await copy.end()))
      const read = await apiOf(copy.url)('GET', `/api/v1/inventory/${created.body.uid}/`, { headers: account.key })
      expect(read).toMatchObject({ status: 200, body: { record: { title: 'Grüner Mantel 🧥' } } })
    })
  },
)
