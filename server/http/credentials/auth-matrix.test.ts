import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { type RouteDeclaration, type Scope, scopes } from '#shared/contract/declaring/route.ts'
import { contract } from '#shared/contract/index.ts'
import { randomBase62 } from '#shared/identity.ts'
import { pathOf } from '../testing/request-parts.ts'
import { newSecret } from './credentials.ts'

/** The expected answer for every operation and every state of a credential. */
let server: TestServer
/** Number of queries that look up a credential. */
let lookUps = 0
beforeAll(async () => {
  server = await startTestServer({
    works: false,
    prepare: async (services) => {
      services.db = new Proxy(services.db, {
        get(db, name) {
          const value: unknown = Reflect.get(db, name)
          if (name !== 'any' || typeof value !== 'function') return value
          return (query: { name?: string }, ...values: unknown[]) => {
            if (query?.name?.startsWith('accounts/sessions/authenticate')) lookUps++
            return value.call(db, query, ...values)
          }
        },
      })
    },
  })
})
afterAll(() => server?.close())

const routes = Object.entries(contract) as [string, RouteDeclaration][]
const guarded = routes.filter(([, route]) => route.auth !== 'none')
const open = routes.filter(([, route]) => route.auth === 'none')
const keyed = routes.filter(([, route]) => typeof route.auth === 'object')
const bearerOnly = routes.filter(([, route]) => route.auth === 'bearer')

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: { code?: string; request_id?: string } | null
}

/** Sends raw headers, since fetch would refuse or repair an attacker's. */
function call(
  route: RouteDeclaration,
  headers: string[],
  more: { query?: string; body?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server.url)
  const body = route.method === 'GET' ? '' : (more.body ?? '{}')
  const all = ['host', `${hostname}:${port}`, ...headers]
  if (body !== '') all.push('content-type', 'application/json', 'content-length', String(Buffer.byteLength(body)))
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method: route.method, path: pathOf(route) + (more.query ?? ''), headers: all },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => {
          const isJson = /json/.test(String(response.headers['content-type']))
          resolve({ status: response.statusCode!, headers: response.headers, body: isJson ? JSON.parse(text) : null })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Returns the status of an answer to bytes that no HTTP client would send. */
function rawStatus(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(Buffer.from(bytes, 'latin1')))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(text.slice(9, 12)))
    socket.on('error', reject)
  })
}

const bearerOf = (token: string) => ['authorization', `Bearer ${token}`]
const headersOf = ({ bearer, key }: TestAccount) => ({
  bearer: ['authorization', bearer.authorization],
  key: ['x-api-key', key['x-api-key']],
})
const account = (given: { scopes?: Scope[] } = {}) => buildAccount(server.services.db, given)
/** Removes the request id, so that refusals can be compared. */
const withoutId = ({ status, body }: Answer) => ({ status, body: { ...body, request_id: '' } })

function expectRefused(answer: Answer, where: string) {
  expect([answer.status, answer.body?.code], where).toEqual([401, 'unauthenticated'])
  expect(String(answer.headers['www-authenticate']), where).toMatch(/^Bearer realm="hapax"/)
  expect(answer.headers['cache-control'], where).toBe('no-store')
}

/** Returns values that look like a credential and cannot be one. */
function malformed(): [string, string[]][] {
  const token = newSecret('hpxt')
  const key = newSecret('hpxk')
  const wrongSum = (secret: string) => secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0')
  const values: [string, string[]][] = [
    ['Bearer alone', ['authorization', 'Bearer']],
    ['Bearer and a space', ['authorization', 'Bearer ']],
    ['an empty header', ['authorization', '']],
    ['a token without scheme', ['authorization', token]],
    ['Basic', ['authorization', `Basic ${Buffer.from(`x:${token}`).toString('base64')}`]],
    ['Digest', ['authorization', `Digest username="x", token="${token}"`]],
    ['Token scheme', ['authorization', `Token ${token}`]],
    ['bearer with two spaces', ['authorization', `Bearer  ${token}`]],
    ['bearer with a tab', ['authorization', `Bearer\t${token}`]],
    ['two tokens', ['authorization', `Bearer ${token} ${token}`]],
    ['a list of tokens', ['authorization', `Bearer ${token}, Bearer ${token}`]],
    ['quotes', ['authorization', `Bearer "${token}"`]],
    ['a wrong checksum', bearerOf(wrongSum(token))],
    ['one character less', bearerOf(token.slice(0, -1))],
    ['one character more', bearerOf(`${token}0`)],
    ['another case of the prefix', bearerOf(token.replace('hpxt', 'HPXT'))],
    ['a key as a token', bearerOf(key)],
    ['a reset token', bearerOf(newSecret('hpxr'))],
    ['a verification token', bearerOf(newSecret('hpxv'))],
    ['a JWT', bearerOf('eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.')],
    ['bad percent-encoding', bearerOf('%zz%E0%A4%A')],
    ['encoded', bearerOf(encodeURIComponent(`${token}\n`))],
    ['SQL', bearerOf("' or '1'='1")],
    ['a path', bearerOf('../../etc/passwd')],
    ['bytes above 127', bearerOf('\u00e9\u00ff\u0080'.repeat(10))],
    ['template', bearerOf(`\${${token}}`)],
    ['8 KB', bearerOf('a'.repeat(8_000))],
    ['null in words', bearerOf('null')],
    ['undefined in words', bearerOf('undefined')],
    ['an object', bearerOf('[object Object]')],
    ['a number', bearerOf('0')],
    ['Authorization twice', [...bearerOf(token), ...bearerOf(token)]],
    ['an empty key', ['x-api-key', '']],
    ['a key with a wrong checksum', ['x-api-key', wrongSum(key)]],
    ['a token as a key', ['x-api-key', token]],
    ['a key with Bearer', ['x-api-key', `Bearer ${key}`]],
    ['a key in quotes', ['x-api-key', `"${key}"`]],
    ['a key with a comma', ['x-api-key', `${key}, ${key}`]],
    ['X-API-Key twice', ['x-api-key', key, 'x-api-key', key]],
    ['a short key', ['x-api-key', 'hpxk_']],
    ['a key of random text', ['x-api-key', randomBase62(43)]],
  ]
  return values
}

describe('every operation and credential state', () => {
  it('is covered by this table', () => {
    expect(guarded.length + open.length).toBe(Object.keys(contract).length)
    expect(keyed.length + bearerOnly.length).toBe(guarded.length)
    expect(guarded.length).toBeGreaterThanOrEqual(25)
  })

  it('answers 401 to none and to malformed ones, without a query', async () => {
    const shapes = malformed()
    expect(shapes.length).toBeGreaterThanOrEqual(40)
    await server.services.usage.flush()
    lookUps = 0
    for (const [id, route] of guarded) {
      expectRefused(await call(route, []), `${id}: none`)
      const answers = await Promise.all(shapes.map(([, headers]) => call(route, headers)))
      for (const [index, answer] of answers.entries()) expectRefused(answer, `${id}: ${shapes[index]![0]}`)
    }
    expect(lookUps).toBe(0)
  })

  it('survives a header of 20 KB or with control bytes', async () => {
    const route = contract.validateToken
    const tooLarge = await call(route, bearerOf('a'.repeat(20_000)))
    expect([400, 401, 431]).toContain(tooLarge.status)
    for (const bytes of ['\x00', '\x01', '\x7f', 'a\x0bb', 'x\r y', 'x\n y', '\x1b[31m']) {
      expect(
        await rawStatus(
          `GET ${route.path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nAuthorization: Bearer ${bytes}\r\nConnection: close\r\n\r\n`,
        ),
      ).toMatch(/^4\d\d$/)
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  it('answers all invalid credentials with the same 401', async () => {
    const api = apiOf(server.url)
    const { db } = server.services
    const gone: [string, string[]][] = [
      ['unknown token', bearerOf(newSecret('hpxt'))],
      ['unknown key', ['x-api-key', newSecret('hpxk')]],
    ]
    const keyRequest = { body: { name: 'x' } }
    const holder = await account()
    const deleted = (await api('POST', '/api/v1/api-keys/', { headers: holder.bearer, ...keyRequest })).body
    await api('DELETE', `/api/v1/api-keys/${deleted.id}/`, { headers: holder.bearer })
    gone.push(['deleted key', ['x-api-key', deleted.key]])
    const rotated = (await api('POST', '/api/v1/api-keys/', { headers: holder.bearer, ...keyRequest })).body
    await api('POST', `/api/v1/api-keys/${rotated.id}/rotate/`, { headers: holder.bearer })
    gone.push(['rotated key', ['x-api-key', rotated.key]])
    const expired = await account()
    await db.none("update api_key set expires_at = now() - interval '1 second' where user_id = $1", [expired.user_id])
    gone.push(['expired key', headersOf(expired).key])
    const signedOut = await account()
    await api('POST', '/api/auth/logout/', { headers: signedOut.bearer })
    gone.push(['signed-out token', headersOf(signedOut).bearer])
    const closed = await account()
    await api('POST', '/api/v1/user/deactivate/', { headers: closed.bearer })
    gone.push(
      ['token of a closed account', headersOf(closed).bearer],
      ['key of a closed account', headersOf(closed).key],
    )
    const suspended = await account()
    await db.none("update app_user set state = 'deactivated' where id = $1", [suspended.user_id])
    gone.push(
      ['token left behind by a closed account', headersOf(suspended).bearer],
      ['key left behind', headersOf(suspended).key],
    )

    let first: unknown
    for (const [id, route] of guarded) {
      const answers = await Promise.all(gone.map(([, headers]) => call(route, headers)))
      for (const [index, answer] of answers.entries()) {
        const where = `${id}: ${gone[index]![0]}`
        expectRefused(answer, where)
        first ??= withoutId(answer)
        expect(withoutId(answer), where).toEqual(first)
      }
    }
  })

  it('answers 403 to a key without access or scope', async () => {
    const full = await account()
    for (const [id, route] of bearerOnly) {
      const answer = await call(route, headersOf(full).key)
      expect([answer.status, answer.body?.code], id).toEqual([403, 'wrong_credential_kind'])
    }
    for (const [id, route] of keyed) {
      const { scope } = route.auth as { scope: Scope }
      const lacking = await account({ scopes: scopes.filter((each) => each !== scope) })
      const answer = await call(route, headersOf(lacking).key)
      expect([answer.status, answer.body?.code], id).toEqual([403, 'insufficient_scope'])
    }
  })

  it('admits a live session, and a key with the scope', async () => {
    for (const [id, route] of guarded) {
      const answer = await call(route, headersOf(await account()).bearer)
      expect([401, 403, 429, 500], id).not.toContain(answer.status)
      expect(answer.headers['cache-control'], id).toBe('no-store')
    }
    for (const [id, route] of keyed) {
      const { scope } = route.auth as { scope: Scope }
      const answer = await call(route, headersOf(await account({ scopes: [scope] })).key)
      expect([401, 403, 429, 500], id).not.toContain(answer.status)
      expect(answer.headers['cache-control'], id).toBe('no-store')
    }
  })

  it('answers 400 to two credentials and does nothing', async () => {
    const [one, other] = [await account(), await account()]
    for (const [id, route] of routes) {
      for (const key of [headersOf(one).key, headersOf(other).key, ['x-api-key', 'nonsense']]) {
        const answer = await call(route, [...headersOf(one).bearer, ...key])
        expect([answer.status, answer.body?.code], id).toEqual([400, 'ambiguous_credentials'])
      }
    }
    expect((await call(contract.validateToken, headersOf(one).bearer)).status).toBe(200)
    const states = await server.services.db.any('select state from app_user where id in ($1, $2)', [
      one.user_id,
      other.user_id,
    ])
    expect(states).toEqual([{ state: 'active' }, { state: 'active' }])
  })

  it('ignores and never logs one in URL, cookie or body', async () => {
    const holder = await account()
    const token = holder.bearer.authorization.slice(7)
    const key = holder.key['x-api-key']
    for (const [id, route] of guarded) {
      for (const name of ['token', 'access_token', 'api_key', 'key', 'authorization']) {
        expectRefused(await call(route, [], { query: `?${name}=${token}` }), `${id} ?${name}`)
      }
      expectRefused(await call(route, [], { query: `?api_key=${key}` }), id)
      expectRefused(await call(route, ['cookie', `token=${token}; api_key=${key}; session=${token}`]), id)
      expectRefused(
        await call(route, [], { body: JSON.stringify({ token, api_key: key, authorization: `Bearer ${token}` }) }),
        id,
      )
    }
    await fetch(`${server.url}/api/v1/api-keys/${key}/`, { headers: holder.bearer })
    const log = server.logged.join('\n')
    expect(log).not.toContain(token)
    expect(log).not.toContain(key)
  })

  it('hides this account from another with the same rights', async () => {
    const [one, other] = [await account(), await account()]
    const validated = await call(contract.validateToken, headersOf(other).bearer)
    expect(validated.body).toMatchObject({ user: { id: other.user_id } })
    for (const [id, route] of guarded.filter(([, each]) => each.method === 'GET')) {
      const answer = await call(route, headersOf(other).bearer)
      expect(JSON.stringify(answer.body), id).not.toContain(one.email)
    }
  })

  it('allows no cross-origin access', async () => {
    const origins = [
      'https://evil.example',
      'null',
      `${server.url}.evil.example`,
      'https://evil-hapax.app',
      server.url,
      'chrome-extension://abc',
    ]
    for (const [id, route] of routes) {
      const answer = await call(route, ['origin', origins[Math.abs(id.length) % origins.length]!])
      expect(answer.headers['access-control-allow-origin'], id).toBeUndefined()
      expect(answer.headers['access-control-allow-credentials'], id).toBeUndefined()
      expect(String(answer.headers.vary), id).toContain('Origin')
    }
    for (const origin of [...origins, ...Array.from({ length: 200 }, () => `https://${randomBase62(8)}.example`)]) {
      const preflight = await fetch(`${server.url}/api/auth/validate/`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      })
      expect(preflight.headers.get('access-control-allow-origin')).toBe(null)
    }
  })

  it('forbids caching of responses with a token', async () => {
    const api = apiOf(server.url)
    const [email, password] = [`${randomBase62(8).toLowerCase()}@example.com`, 'paper lantern 42']
    const made = await api('POST', '/api/auth/register/email/', {
      body: { email, password, password_confirm: password },
    })
    const entered = await api('POST', '/api/auth/login/', { body: { email, password } })
    const headers = { authorization: `Bearer ${made.body.token}` }
    const key = await api('POST', '/api/v1/api-keys/', { headers, body: { name: 'x' } })
    const rotated = await api('POST', `/api/v1/api-keys/${key.body.id}/rotate/`, { headers })
    const body = {
      current_password: password,
      new_password: 'quiet harbour 77',
      new_password_confirm: 'quiet harbour 77',
    }
    const changed = await api('POST', '/api/auth/password/change/', { headers, body })
    for (const reply of [made, entered, key, rotated, changed]) {
      expect(reply.status).toBeLessThan(300)
      expect(JSON.stringify(reply.body)).toMatch(/hpx[kt]_/)
      expect(reply.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('does not tell a revoked token from an unknown one', async () => {
    const ended = await account()
    await apiOf(server.url)('POST', '/api/auth/logout/', { headers: ended.bearer })
    const never = await call(contract.validateToken, bearerOf(newSecret('hpxt')))
    expect(withoutId(never)).toEqual(withoutId(await call(contract.validateToken, headersOf(ended).bearer)))
  })
})
