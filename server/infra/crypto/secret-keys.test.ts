import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { startHapax } from '#server/main.ts'
import { encryptedColumns } from '#server/operations/encryption/encrypted-columns.ts'
import { decrypt, decryptBytes, encrypt, encryptionKey } from './encrypt.ts'
import { countOtherKeys, type EncryptedColumn, reencrypt } from './re-encrypt.ts'
import { adoptKey, isDatabaseKey, openHashKey } from './secret-keys.ts'

const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
  string,
  string,
  string,
]
const [old, next] = [{ SECRET_KEY: first }, { SECRET_KEY: second, SECRET_KEY_PREVIOUS: first }]
let database: TestDatabase | undefined
beforeEach(async () => {
  await database?.drop()
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
const db = () => database!.db

const command = (name: string) =>
  fileURLToPath(new URL(`../../operations/encryption/commands/${name}.ts`, import.meta.url))

/** Runs a command; returns its exit code and output. */
async function run(name: string, environment: Record<string, string>): Promise<[code: number, said: string]> {
  const child = spawn(process.execPath, [command(name)], { env: environment })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return [code, said]
}

it('keeps the first key of a database and refuses another', async () => {
  const hashKeys = await Promise.all(Array.from({ length: 8 }, () => openHashKey(db(), old)))
  expect(new Set(hashKeys).size).toBe(1)
  await expect(openHashKey(db(), { SECRET_KEY: second })).rejects.toThrow('SECRET_KEY is not the one')
})

it('adopts another key by command after a loss', async () => {
  await openHashKey(db(), old)
  const environment = {
    DATABASE_URL: database!.url,
    SECRET_KEY: second,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ROLE: 'worker',
  }
  await expect(startHapax(environment)).rejects.toThrow('npm run adopt-secret-key')
  expect(await run('adopt-secret-key', environment)).toEqual([0, expect.stringContaining('Start Hapax again')])
  const started = await startHapax(environment)
  await started.close()
  await expect(openHashKey(db(), old)).rejects.toThrow('SECRET_KEY is not the one')
})

it('replaces a key named as previous and keeps the hash key', async () => {
  const hashKey = await openHashKey(db(), old)
  expect(await Promise.all(Array.from({ length: 8 }, () => openHashKey(db(), next)))).toEqual(Array(8).fill(hashKey))
  expect(await openHashKey(db(), { SECRET_KEY: second })).toBe(hashKey)
  await expect(openHashKey(db(), old)).rejects.toThrow('SECRET_KEY is not the one')
})

it('lets processes with either key run side by side', async () => {
  const hashKey = await openHashKey(db(), old)
  const before = { SECRET_KEY: first, SECRET_KEY_PREVIOUS: second }
  for (const keys of [before, next, before, next, before]) expect(await openHashKey(db(), keys)).toBe(hashKey)
  expect([await isDatabaseKey(db(), before), await isDatabaseKey(db(), next)]).toEqual([false, true])
})

it('rotates twice', async () => {
  const hashKey = await openHashKey(db(), old)
  await openHashKey(db(), next)
  expect(await openHashKey(db(), { SECRET_KEY: third, SECRET_KEY_PREVIOUS: second })).toBe(hashKey)
  expect(await openHashKey(db(), { SECRET_KEY: third })).toBe(hashKey)
})

it('uses SECRET_KEY as the hash key if none is stored', async () => {
  await openHashKey(db(), old)
  await db().none('update secret_key set encrypted_hash_key = null')
  expect(await openHashKey(db(), next)).toBe(first)
  expect(await openHashKey(db(), { SECRET_KEY: second })).toBe(first)
})

it('does not restore a lost key', async () => {
  const hashKey = await openHashKey(db(), old)
  await adoptKey(db(), { SECRET_KEY: third })
  expect(await openHashKey(db(), { SECRET_KEY: third })).not.toBe(hashKey)
})

const column: EncryptedColumn = {
  table: 'kept',
  column: 'encrypted_text',
  key: ['user_id', 'uid'],
  purpose: 'test',
  placeOf: ({ user_id, uid }) => `kept/${user_id}/${uid}`,
}

async function fill(count: number): Promise<void> {
  await db().none('create table kept (user_id integer, uid text, encrypted_text bytea, primary key (user_id, uid))')
  const key = encryptionKey(old, 'test')
  for (let index = 0; index < count; index++) {
    const row = { user_id: index % 7, uid: `k${index}` }
    const encrypted = encrypt(`text ${index}`, column.placeOf(row), key)
    await db().none('insert into kept values ($1, $2, $3)', [row.user_id, row.uid, encrypted])
  }
}
const textsUnder = async (keys: object) =>
  db().map('select * from kept where encrypted_text is not null order by substr(uid, 2)::integer', [], (row) =>
    decrypt(row.encrypted_text, column.placeOf(row), encryptionKey(keys, 'test')),
  )

it('re-encrypts every value once despite concurrency and a crash', async () => {
  await fill(450)
  const texts = await textsUnder(old)
  const stopping = new AbortController()
  let statements = 0
  const stopped = new Proxy(db(), {
    get: (target, name) => {
      if (name === 'result' && ++statements === 100) throw new Error('killed')
      return Reflect.get(target, name)
    },
  })
  await expect(reencrypt(stopped, next, column, stopping.signal)).rejects.toThrow('killed')
  expect(await countOtherKeys(db(), next, column)).toBe(351)
  expect(await textsUnder(next)).toEqual(texts)
  await Promise.all([reencrypt(db(), next, column), reencrypt(db(), next, column)])
  expect(await countOtherKeys(db(), next, column)).toBe(0)
  expect(await textsUnder({ SECRET_KEY: second })).toEqual(texts)
  expect(await reencrypt(db(), next, column)).toBe(0)
})

it('re-encrypts bytes that are no text', async () => {
  await fill(1)
  const bytes = Buffer.from([0, 255, 128, 10, 195])
  const place = column.placeOf({ user_id: 0, uid: 'k0' })
  await db().none('update kept set encrypted_text = $1', [encrypt(bytes, place, encryptionKey(old, 'test'))])
  expect(await reencrypt(db(), next, column)).toBe(1)
  const { encrypted_text } = await db().one('select encrypted_text from kept')
  expect(decryptBytes(encrypted_text, place, encryptionKey({ SECRET_KEY: second }, 'test'))).toEqual(bytes)
})

it('skips undecryptable and concurrently changed values', async () => {
  await fill(3)
  await db().none(
    "update kept set encrypted_text = set_byte(encrypted_text, 20, get_byte(encrypted_text, 20) # 1) where uid = 'k1'",
  )
  const [{ encrypted_text }] = await db().any("select encrypted_text from kept where uid = 'k2'")
  const raced = new Proxy(db(), {
    get: (target, name) => {
      if (name !== 'result') return Reflect.get(target, name)
      return async (...given: Parameters<typeof target.result>) => {
        await db().none(
          "update kept set encrypted_text = encrypted_text || '\\x00' where uid = 'k2' and encrypted_text = $1",
          [encrypted_text],
        )
        return target.result(...given)
      }
    },
  })
  expect(await reencrypt(raced, next, column)).toBe(1)
})

it('knows every encrypted column', async () => {
  const columns = await db().map(
    `select table_name, column_name from information_schema.columns
     where table_schema = current_schema() and data_type = 'bytea' and column_name like 'encrypted%'`,
    [],
    ({ table_name, column_name }) => `${table_name}.${column_name}`,
  )
  const shortLived = ['oauth_state.encrypted_code_verifier']
  const ofTheKeys = ['secret_key.encrypted_check', 'secret_key.encrypted_hash_key']
  const known = encryptedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(columns.sort()).toEqual([...known, ...shortLived, ...ofTheKeys].sort())
})

it('reports the remaining values by command', async () => {
  await openHashKey(db(), old)
  const environment = { DATABASE_URL: database!.url, SECRET_KEY: second }
  expect(await run('secret-key', environment)).toEqual([0, expect.stringContaining('can be removed')])
  const { id } = await db().one("insert into app_user (username) values ('ada') returning id")
  await db().none(
    `insert into webhook_endpoint (user_id, uid, url, description, encrypted_secret) values ($1, 'whk_a', 'https://x.example', '', $2)`,
    [id, encrypt('whsec_x', `webhook_endpoint/${id}/whk_a/secret`, encryptionKey(old, 'webhook-endpoint'))],
  )
  expect(await run('secret-key', environment)).toEqual([
    1,
    expect.stringContaining('webhook_endpoint.encrypted_secret: 1'),
  ])
  for (const each of encryptedColumns) await reencrypt(db(), next, each)
  expect(await run('secret-key', environment)).toEqual([0, expect.stringContaining('can be removed')])
})
