import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHapax } from '#server/main.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { adoptKey, refuseOtherKey } from './key-check.ts'

const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

it('a database is used with the key that it saw first, also when several servers start at once; another is refused', async () => {
  await Promise.all(Array.from({ length: 8 }, () => refuseOtherKey(database.db, first)))
  await refuseOtherKey(database.db, first)
  await expect(refuseOtherKey(database.db, second)).rejects.toThrow('SECRET_KEY is not the one')
})

it('a server with another key does not start, and says what to do; after the command it does', async () => {
  await adoptKey(database.db, first)
  const environment = { DATABASE_URL: database.url, SECRET_KEY: second, PORT: '0', LOG_LEVEL: 'silent', ROLE: 'worker' }
  await expect(startHapax(environment)).rejects.toThrow('npm run adopt-secret-key')
  const file = fileURLToPath(new URL('./commands/adopt-secret-key.ts', import.meta.url))
  const command = spawn(process.execPath, [file], { env: environment })
  const [said, [code]] = await Promise.all([text(command.stdout), once(command, 'exit')])
  expect([code, said]).toEqual([0, expect.stringContaining('Start Hapax again')])
  const started = await startHapax(environment)
  await started.close()
  await expect(refuseOtherKey(database.db, first)).rejects.toThrow('SECRET_KEY is not the one')
})
