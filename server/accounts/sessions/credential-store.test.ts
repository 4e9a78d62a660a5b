import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { hashSecret, secretKind, withChecksum } from '#server/http/credentials/credentials.ts'
import * as sql from './queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())

describe('the credential lookup', () => {
  it('uses only the unique index of the SHA-256', async () => {
    const { db } = server.services
    await db.none(`insert into app_user (username) select 'filler-' || n from generate_series(1, 5000) n`)
    await db.none(`insert into bearer_token (user_id, token_hash)
      select id, sha256(username::bytea) from app_user where username like 'filler-%'`)
    await db.none(`insert into api_key (user_id, id, name, key_hash, prefix, last4, scopes)
      select id, 'key_' || lpad(id::text, 22, '0'), 'filler', sha256(username::bytea), 'hpxk', '0000', '{}'
      from app_user where username like 'filler-%'`)
    await db.none('analyze')
    const hashes = [hashSecret('x'), hashSecret('y')]
    const seconds = { idle: 86_400, absolute: 86_400 }
    for (const [statement, table, column] of [
      [sql.authenticateBearers({ hashes, ...seconds }), 'bearer_token', 'token_hash'],
      [sql.authenticateKeys({ hashes, key_limit: 600 }), 'api_key', 'key_hash'],
      [sql.findBearers({ hashes, ...seconds }), 'bearer_token', 'token_hash'],
      [sql.findKeys({ hashes }), 'api_key', 'key_hash'],
    ] as const) {
      expect(statement.text).not.toMatch(/\blike\b|prefix|last4/i)
      const plan = JSON.stringify(await db.any(`explain (format json) ${statement.text}`, statement.values))
      const { indexname } = await db.one(
        `select indexname from pg_indexes where tablename = $1 and indexdef like 'CREATE UNIQUE INDEX%(' || $2 || ')'`,
        [table, column],
      )
      expect(plan).toContain(`"Index Name":"${indexname}"`)
      expect(plan).not.toMatch(new RegExp(`"Node Type":"Seq Scan"[^}]*"Relation Name":"${table}"`))
    }
  })

  it('rejects keys that differ from a live one by a character', async () => {
    const account = await buildAccount(server.services.db)
    const key = account.key['x-api-key']
    const stored = await server.services.db.one('select key_hash from api_key where user_id = $1', [account.user_id])
    expect(stored.key_hash).toEqual(createHash('sha256').update(key).digest())
    const near = oneCharacterOff(key)
    const api = apiOf(server.url)
    const ask = (value: string) => api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': value } })
    expect((await ask(key)).status).toBe(200)
    for (const value of near) {
      const reply = await ask(value)
      expect([reply.status, reply.body.code]).toEqual([401, 'unauthenticated'])
    }
  })
})

/** Well-formed keys that differ from this one in one character of their secret part (and so in their checksum). */
function oneCharacterOff(key: string): string[] {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const found: string[] = []
  for (const place of [5, 20, 36]) {
    const other = alphabet[(alphabet.indexOf(key[place]!) + 1) % 62]!
    const changed = `${key.slice(0, place)}${other}${key.slice(place + 1, 37)}`
    found.push(withChecksum(changed))
  }
  for (const value of found) expect(secretKind(value)).toBe('hpxk')
  return found
}
