import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel, statuses } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { problem } from '#server/infra/errors.ts'
import { routesOf } from '#shared/contract/declaring/route.ts'
import type { Principal } from '../credentials/authenticate.ts'
import type { KeepReply } from './idempotency.ts'
import { databaseIdempotency, releaseCallsOfTheDead } from './idempotency-database.ts'

let server: TestServer
let api: Api
let account: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
  api = apiOf(server.url)
  account = await buildAccount(server.services.db)
})
afterAll(() => server?.close())

const createKey = (key: string, name: string) =>
  api('POST', '/api/v1/api-keys/', { headers: { ...account.bearer, 'idempotency-key': key }, body: { name } })

describe('Idempotency-Key', () => {
  it('returns a secret once and creates no second key', async () => {
    expect((await createKey('once', 'a')).status).toBe(201)
    expect(await createKey('once', 'a')).toMatchObject({ status: 409, body: { code: 'secret_already_shown' } })
    const { count } = await server.services.db.one("select count(*) from api_key where name = 'a'")
    expect(count).toBe(1)
    const stored = JSON.stringify(await server.services.db.any('select * from idempotent_call'))
    expect(stored).not.toContain('hpxk')
  })

  it('answers 422 for another request with the key', async () => {
    await createKey('other', 'a')
    expect(await createKey('other', 'b')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })

  it('allows a failed request again', async () => {
    const broken = {
      headers: { ...account.bearer, 'idempotency-key': 'again' },
      body: { name: 'x', expires_at: '2020-01-01T00:00:00Z' },
    }
    expect((await api('POST', '/api/v1/api-keys/', broken)).status).toBe(400)
    expect((await createKey('again', 'good now')).status).toBe(201)
  })

  it.each(['', 'x'.repeat(256), 'two words'])('refuses the key "%s"', async (key) => {
    expect((await createKey(key, 'a')).status).toBe(400)
  })
})

describe('a call without a secret', () => {
  const declaration = routesOf('test')({
    summary: 'test',
    method: 'POST',
    path: '/x/',
    auth: 'bearer',
    replies: { 200: z.object({ run: z.int() }) },
    idempotent: true,
  })
  const principalOf = (user_id: number): Principal => ({
    kind: 'bearer',
    user_id,
    token_hash: Buffer.alloc(32),
    proof_age: 0,
    user: { id: user_id, username: 'x', email: null },
  })
  const once = (
    key: string,
    input: unknown,
    run: (keep: KeepReply) => Promise<{ status: number; body: unknown }>,
    user = account.user_id,
  ) => {
    const ctx = { req: { headersDistinct: { 'idempotency-key': [key] } }, set: () => undefined }
    const call = { operationId: 'test', declaration, principal: principalOf(user), input }
    return databaseIdempotency(server.services.db).once(ctx as never, call, run)
  }
  const answer = (run: number) => async () => ({ status: 200, body: { run } })

  it('replays its response, whatever the order of members', async () => {
    await once('replay', { a: 1, b: { c: [1, 2] } }, answer(1))
    expect(await once('replay', { b: { c: [1, 2] }, a: 1 }, answer(2))).toEqual({ status: 200, body: { run: 1 } })
  })

  it('runs once of 64 concurrent requests', async () => {
    let runs = 0
    const replies = await parallel(64, async () =>
      once('race', {}, async () => ({ status: 200, body: { run: ++runs } })).catch((error: { code: string }) => ({
        status: error.code === 'request_in_flight' ? 409 : 0,
        headers: new Headers(),
        body: null,
      })),
    )
    expect(runs).toBe(1)
    expect(Object.keys(statuses(replies as never)).every((status) => ['200', '409'].includes(status))).toBe(true)
  })

  it('is separate per user', async () => {
    const other = await buildAccount(server.services.db)
    await once('shared', {}, answer(1))
    expect(await once('shared', {}, answer(2), other.user_id)).toEqual({ status: 200, body: { run: 2 } })
  })

  it('is forgotten after 24 hours', async () => {
    await once('old', {}, answer(1))
    await server.services.db.none(
      "update idempotent_call set created_at = now() - interval '25 hours' where key = 'old'",
    )
    expect(await once('old', {}, answer(2))).toEqual({ status: 200, body: { run: 2 } })
  })

  const expire = (key: string) =>
    server.services.db.none("update idempotent_call set leased_until = now() - interval '1 second' where key = $1", [
      key,
    ])
  /** Never resolves, as in a process that is killed at this moment. */
  const never = () => new Promise<never>(() => {})

  it('replays the response of a process killed after its commit', async () => {
    await new Promise<void>((done) => {
      void once('killed', {}, async (keep) => {
        await server.services.db.tx((tx) => keep(tx, { status: 200, body: { run: 1 } }))
        done()
        return never()
      })
    })
    expect(await once('killed', {}, answer(2))).toEqual({ status: 200, body: { run: 1 } })
    await expire('killed')
    expect(await once('killed', {}, answer(3))).toEqual({ status: 200, body: { run: 1 } })
  })

  it('runs again after a restart, or replays what was committed', async () => {
    await new Promise<void>((begun) => {
      void once('undone', {}, () => {
        begun()
        return never()
      })
    })
    await once('done', {}, answer(1))
    await expect(once('undone', {}, answer(2))).rejects.toMatchObject({ code: 'request_in_flight' })
    await releaseCallsOfTheDead(server.services.db)
    expect(await once('undone', {}, answer(2))).toEqual({ status: 200, body: { run: 2 } })
    expect(await once('done', {}, answer(3))).toEqual({ status: 200, body: { run: 1 } })
  })

  it('runs again after the lease of a killed process', async () => {
    await new Promise<void>((begun) => {
      void once('early', {}, () => {
        begun()
        return never()
      })
    })
    await expect(once('early', {}, answer(2))).rejects.toMatchObject({ code: 'request_in_flight' })
    await expire('early')
    expect(await once('early', {}, answer(3))).toEqual({ status: 200, body: { run: 3 } })
  })

  it('rolls back in a process that slept while another took over', async () => {
    const { db } = server.services
    const slept = once('slept', {}, async (keep) => {
      await expire('slept')
      await once('slept', {}, answer(2))
      return db.tx(async (tx) => {
        await tx.none("update app_user set username = 'undone' where id = $1", [account.user_id])
        return keep(tx, { status: 200, body: { run: 1 } })
      })
    })
    await expect(slept).rejects.toMatchObject({ code: 'request_in_flight' })
    expect(await db.any("select id from app_user where username = 'undone'")).toEqual([])
    expect(await once('slept', {}, answer(3))).toEqual({ status: 200, body: { run: 2 } })
  })

  it('stores nothing of a failed call', async () => {
    await expect(once('fails', {}, () => Promise.reject(problem('conflict')))).rejects.toThrow()
    expect(await once('fails', {}, answer(4))).toEqual({ status: 200, body: { run: 4 } })
  })
})
