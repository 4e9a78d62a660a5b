import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel, statuses } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { scopes } from '#shared/contract/declaring/route.ts'
import { newId } from '#shared/identity.ts'

let server: TestServer
let api: Api
let account: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
  api = apiOf(server.url)
  account = await buildAccount(server.services.db)
})
afterAll(() => server?.close())

const keys = '/api/v1/api-keys/'
const create = (body: object = { name: 'extension' }, holder = account) =>
  api('POST', keys, { headers: holder.bearer, body })
const platforms = async (key: string) =>
  (await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': key } })).status

describe('API keys', () => {
  it('show their value at creation only', async () => {
    const made = await create({ name: 'extension' })
    expect(made.status).toBe(201)
    const { key, ...record } = made.body
    expect(key).toMatch(/^hpxk_[0-9A-Za-z]{38}$/)
    expect(record).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'extension',
      prefix: 'hpxk',
      last4: key.slice(-4),
      scopes: [...scopes],
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: null,
    })
    expect(await api('GET', `${keys}${record.id}/`, { headers: account.bearer })).toMatchObject({
      status: 200,
      body: record,
    })
    const list = await api('GET', keys, { headers: account.bearer })
    expect(list.body[0]).toEqual(record)
    expect(JSON.stringify(list.body)).not.toContain(key)
    const stored = await server.services.db.one('select * from api_key where id = $1', [record.id])
    expect(JSON.stringify(stored)).not.toContain(key)
  })

  it('are created once where the first attempt deadlocks', async () => {
    const { db } = server.services
    const owner = await buildAccount(db)
    // A sequence is not rolled back, so that only the first insertion fails.
    await db.multi(`
      create sequence insertions;
      create function deadlock_once() returns trigger language plpgsql as $$
      begin
        if nextval('insertions') = 1 then raise 'deadlock detected' using errcode = '40P01'; end if;
        return new;
      end $$;
      create trigger deadlock_once before insert on api_key for each row execute function deadlock_once()`)
    const idempotent = { ...owner.bearer, 'idempotency-key': newId('req') }
    const made = await api('POST', keys, { headers: idempotent, body: { name: 'deadlocked' } })
    await db.multi('drop trigger deadlock_once on api_key; drop function deadlock_once; drop sequence insertions')
    expect(made.status).toBe(201)
    const { body } = await api('GET', keys, { headers: owner.bearer })
    expect(body.filter(({ name }: { name: string }) => name === 'deadlocked')).toMatchObject([{ id: made.body.id }])
    expect(await platforms(made.body.key)).toBe(200)
  })

  it('lists records without secrets or other accounts’ keys', async () => {
    const [one, other] = [await buildAccount(server.services.db), await buildAccount(server.services.db)]
    const mine = (await create({ name: 'mine' }, one)).body
    const theirs = (await create({ name: 'theirs' }, other)).body
    const known = ['id', 'name', 'prefix', 'last4', 'scopes', 'created_at', 'last_used_at', 'expires_at'].sort()
    const shown = [
      ...(await api('GET', keys, { headers: one.bearer })).body,
      (await api('GET', `${keys}${mine.id}/`, { headers: one.bearer })).body,
    ]
    expect(shown).toHaveLength(3)
    for (const record of shown) expect(Object.keys(record).sort()).toEqual(known)
    const text = JSON.stringify(shown)
    for (const { key, id } of [mine, theirs]) {
      const { key_hash } = await server.services.db.one('select key_hash from api_key where id = $1', [id])
      // Skip the prefix and the last four characters, which are shown on purpose.
      for (const secret of [key, key.slice(5, -4), key_hash.toString('hex'), key_hash.toString('base64')]) {
        expect(text).not.toContain(secret)
      }
    }
    expect(text).not.toContain(theirs.id)
    expect(text).not.toContain('theirs')
  })

  it('stops the old value at once when rotated', async () => {
    const made = (await create()).body
    const rotated = await api('POST', `${keys}${made.id}/rotate/`, { headers: account.bearer })
    expect(rotated).toMatchObject({ status: 200, body: { id: made.id, last4: rotated.body.key.slice(-4) } })
    expect(await platforms(made.key)).toBe(401)
    expect(await platforms(rotated.body.key)).not.toBe(401)
  })

  it('leaves one working value after 32 rotations at once', async () => {
    const made = (await create()).body
    const rotations = await parallel(32, () => api('POST', `${keys}${made.id}/rotate/`, { headers: account.bearer }))
    expect(statuses(rotations)).toEqual({ 200: 32 })
    const live = await Promise.all([made, ...rotations.map(({ body }) => body)].map(({ key }) => platforms(key)))
    expect(live.filter((status) => status !== 401)).toHaveLength(1)
  })

  it('lets a key end itself but no other key', async () => {
    const [mine, sister, foreign] = [
      (await create()).body,
      (await create()).body,
      (await create(undefined, await buildAccount(server.services.db))).body,
    ]
    const end = (id: string, headers: Record<string, string>) =>
      api('DELETE', `/api/v1/extension/keys/${id}/`, { headers })
    const own = { 'x-api-key': mine.key }
    for (const id of [sister.id, foreign.id, newId('key')]) {
      expect(await end(id, own)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await end(mine.id, own)).status).toBe(204)
    expect([await platforms(mine.key), await platforms(sister.key), await platforms(foreign.key)]).toEqual([
      401, 200, 200,
    ])
    expect((await end(mine.id, own)).status).toBe(401)
    // A signed-in user may end any of their own keys.
    expect((await end(foreign.id, account.bearer)).status).toBe(404)
    expect((await end(sister.id, account.bearer)).status).toBe(204)
    expect(await platforms(sister.key)).toBe(401)
  })

  it('deletes a key once and rejects it afterwards', async () => {
    const made = (await create()).body
    const remove = () => api('DELETE', `${keys}${made.id}/`, { headers: account.bearer })
    expect(await remove()).toMatchObject({ status: 204, body: null })
    expect((await remove()).status).toBe(404)
    expect(await platforms(made.key)).toBe(401)
  })

  it('allows exactly 25 keys under 64 creations at once', async () => {
    const holder = await buildAccount(server.services.db)
    const replies = await parallel(64, () => create({ name: 'one of many' }, holder))
    // The account starts with one key.
    expect(statuses(replies)).toEqual({ 201: 24, 409: 40 })
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('too_many_keys')
    expect((await api('GET', keys, { headers: holder.bearer })).body).toHaveLength(25)
  })

  it('forbids keys to create, read or change keys', async () => {
    for (const [method, path] of [
      ['GET', keys],
      ['POST', keys],
      ['DELETE', `${keys}${newId('key')}/`],
    ] as const) {
      const reply = await api(method, path, {
        headers: account.key,
        ...(method === 'POST' ? { body: { name: 'x' } } : {}),
      })
      expect(reply).toMatchObject({ status: 403, body: { code: 'wrong_credential_kind' } })
    }
  })

  it('hides the keys of other accounts', async () => {
    const other = await buildAccount(server.services.db)
    const foreign = (await create({ name: 'theirs' }, other)).body
    for (const [method, tail] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', 'rotate/'],
    ] as const) {
      const theirs = await api(method, `${keys}${foreign.id}/${tail}`, { headers: account.bearer })
      const nobodys = await api(method, `${keys}${newId('key')}/${tail}`, { headers: account.bearer })
      const shapeless = await api(method, `${keys}17/${tail}`, { headers: account.bearer })
      expect(theirs.status).toBe(404)
      for (const reply of [nobodys, shapeless]) {
        expect({ ...reply.body, request_id: '' }).toEqual({ ...theirs.body, request_id: '' })
      }
    }
    expect(await platforms(foreign.key)).not.toBe(401)
  })

  it('limits a key to its scopes', async () => {
    const made = (await create({ name: 'narrow', scopes: ['usage:read'] })).body
    expect(made.scopes).toEqual(['usage:read'])
    const reply = await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': made.key } })
    expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })

  it('refuses a past expiry and hides expired keys', async () => {
    expect((await create({ name: 'late', expires_at: '2020-01-01T00:00:00Z' })).status).toBe(400)
    const made = (await create({ name: 'brief', expires_at: new Date(Date.now() + 3_600_000).toISOString() })).body
    expect(await platforms(made.key)).not.toBe(401)
    await server.services.db.none("update api_key set expires_at = now() - interval '1 second' where id = $1", [
      made.id,
    ])
    expect(await platforms(made.key)).toBe(401)
    const list = (await api('GET', keys, { headers: account.bearer })).body
    expect(list.some((record: { id: string }) => record.id === made.id)).toBe(false)
    expect((await api('POST', `${keys}${made.id}/rotate/`, { headers: account.bearer })).status).toBe(409)
  })

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'x', scopes: [] }],
    [{ name: 'x', scopes: ['admin'] }],
    [{ name: 'x', expires_at: 'tomorrow' }],
    [{ name: 'x', user_id: 1 }],
  ])('refuses %j', async (body) => {
    expect((await create(body)).status).toBe(400)
  })
})
