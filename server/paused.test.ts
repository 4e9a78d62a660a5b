import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { startServerProcess } from '#e2e/harness/server-process.ts'
import { closeDatabase, type Database, openDatabase } from './infra/db/index.ts'

let original: TestDatabase
let admin: Database
let name: string
let copy: Database
let copyUrl: string
let connections = 0
const mailServer = createServer((socket) => {
  connections++
  socket.destroy()
})

/** A server whose mail waits, and a copy of its database as a restored backup is. */
beforeAll(async () => {
  original = await createTestDatabase({ checked: false })
  name = new URL(original.url).pathname.slice(1)
  const api = await startServerProcess({ DATABASE_URL: original.url, ROLE: 'api' })
  const registered = await register(api.url, 'drill@example.com')
  expect(registered.status).toBe(201)
  await api.end()
  admin = openDatabase({ url: Object.assign(new URL(original.url), { pathname: '/postgres' }).href, max: 1 })
  // A template takes no connections while it is copied.
  await admin.any('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await admin.none(`create database ${name}_restored template ${name}`)
  copyUrl = `${original.url}_restored`
  copy = openDatabase({ url: copyUrl, max: 2 })
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  mailServer.close()
  if (copy) await closeDatabase(copy)
  await admin?.none(`drop database if exists ${name}_restored with (force)`)
  if (admin) await closeDatabase(admin)
  await original?.drop()
})

const register = (url: string, email: string) =>
  fetch(`${url}/api/auth/register/email/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a fine coat 1', password_confirm: 'a fine coat 1' }),
  })

const begun = async () =>
  (await copy.one<{ count: number }>('select count(*)::integer as count from jobs.job where started_on is not null'))
    .count

it('answers, sends nothing while paused, and resumes', async () => {
  const settings = {
    DATABASE_URL: copyUrl,
    SMTP_URL: `smtp://127.0.0.1:${(mailServer.address() as { port: number }).port}`,
  }
  const before = await begun()
  const paused = await startServerProcess({ ...settings, PAUSED: 'on' })
  expect((await register(paused.url, 'drill@example.com')).status).toBe(409)
  // Unpaused, the mail of the first registration leaves within a second.
  await pause(5_000)
  expect({ connections, begun: await begun() }).toEqual({ connections: 0, begun: before })
  await paused.end()

  const resumed = await startServerProcess(settings)
  for (let tries = 0; connections === 0 && tries < 200; tries++) await pause(100)
  expect(connections).toBeGreaterThan(0)
  await resumed.end()
})
