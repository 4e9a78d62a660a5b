import { request } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { connectionPages } from '#shared/contract/connections.ts'
import { Problem } from '#shared/contract/declaring/errors.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract, webhooks } from '#shared/contract/index.ts'
import { newId } from '#shared/identity.ts'
import { membersOf, pathOf } from '../testing/request-parts.ts'

/** Invalid input at every endpoint: a clear 4xx in the error format, never a 5xx, and nothing written. */
let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
  account = await buildAccount(server.services.db)
})
afterAll(() => server?.close())

const routes = Object.entries(contract) as [string, RouteDeclaration][]
const withBody = routes.filter(([, route]) => route.body && !route.bodyType)
const guarded = routes.filter(([, route]) => route.auth !== 'none')

interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends a request as an attacker would; fetch would correct it. */
function send(
  method: string,
  path: string,
  headers: Record<string, string | string[]> | string[],
  body?: string | Buffer,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const json = { 'content-type': 'application/json' }

/** Returns a fingerprint of everything stored, which a refused request must not change. */
async function countRows(): Promise<string> {
  const tables = await server.services.db.map(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('request_count', 'api_usage', 'audit_log', 'written_bytes', 'schema_version')
     order by relname`,
    [],
    (row: { name: string }) => row.name,
  )
  const counts = await Promise.all(
    tables.map(async (name) => `${name}=${(await server.services.db.one(`select count(*) from "${name}"`)).count}`),
  )
  return counts.join(' ')
}

function expectRefused(answer: RawAnswer, statuses: number[]): void {
  expect(statuses, answer.body).toContain(answer.status)
  expect(answer.headers['content-type']).toMatch('application/problem+json')
  expect(answer.headers['cache-control']).toBe('no-store')
  const problem = Problem.parse(JSON.parse(answer.body))
  expect(problem.status).toBe(answer.status)
  expect(answer.body).not.toMatch(/select |insert |pg_|node_modules|\.ts:|at \w+ \(/)
}

describe('bad bodies', () => {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  const cases: [string, string | Buffer, Record<string, string>, number[]][] = [
    ['no JSON', '{"name": ', json, [400]],
    ['an empty body', '', json, [400]],
    ['a JSON array', '[]', json, [400]],
    ['null', 'null', json, [400]],
    ['a string', '"text"', json, [400]],
    ['an unknown member', '{"is_staff":true,"user_id":1,"hpx_unknown":1}', json, [400]],
    ['__proto__', '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}', json, [400]],
    ['a member given twice', '{"name":"a","name":"b"}', json, [400]],
    ['U+0000 in a text', '{"name":"a\\u0000b","email":"a\\u0000@example.com"}', json, [400]],
    ['U+0000 in a member name', '{"na\\u0000me":"a"}', json, [400]],
    ['a lone surrogate', '{"name":"\\ud800"}', json, [400]],
    ['a number too large', '{"name":1e999}', json, [400]],
    ['arrays for texts', '{"name":["a"],"email":["a","b"],"token":[]}', json, [400]],
    ['objects for texts', '{"name":{"$gt":""},"password":{"$ne":1}}', json, [400]],
    ['10,000 levels', deep, json, [400, 413]],
    ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }, [415]],
    ['another media type', 'name=a', { 'content-type': 'application/x-www-form-urlencoded' }, [415]],
    ['JSON said to be text', '{"name":"a"}', { 'content-type': 'text/plain' }, [415]],
    ['no media type', '{"name":"a"}', {}, [415]],
    [
      '100,000 members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n]))),
      json,
      [400, 413],
    ],
    ['9 MB', `{"name":"${'a'.repeat(9_000_000)}"}`, json, [413]],
    ['a gzip bomb', gzipSync(Buffer.alloc(50_000_000, ' ')), { ...json, 'content-encoding': 'gzip' }, [413]],
    ['a gzip that is none', 'not gzip', { ...json, 'content-encoding': 'gzip' }, [400]],
    ['a gzip that is cut', gzipSync('{"name":"a"}').subarray(0, 15), { ...json, 'content-encoding': 'gzip' }, [400]],
    ['a deflate that is none', 'not deflate', { ...json, 'content-encoding': 'deflate' }, [400]],
    ['a Brotli that is none', 'not Brotli', { ...json, 'content-encoding': 'br' }, [400]],
    [
      'a Brotli that is cut',
      brotliCompressSync('{"name":"a"}').subarray(0, 8),
      { ...json, 'content-encoding': 'br' },
      [400],
    ],
    ['an encoding nobody knows', '{"name":"a"}', { ...json, 'content-encoding': 'x-magic' }, [400, 415]],
  ]

  it.each(cases)('refuses %s at every endpoint with a body', async (_name, body, headers, statuses) => {
    const before = await countRows()
    for (const [id, route] of withBody) {
      const credential = route.auth === 'none' ? {} : account.bearer
      const answer = await send(route.method, pathOf(route), { ...credential, ...headers }, body)
      try {
        expectRefused(answer, statuses)
      } catch (error) {
        throw new Error(`${id}: ${answer.status} ${answer.body.slice(0, 300)}`, { cause: error })
      }
    }
    expect(await countRows()).toBe(before)
  })

  it('refuses 2 MB at a limit of 1 MB', async () => {
    for (const [id, route] of withBody.filter(([, declared]) => !declared.largeBody && !declared.bodyType)) {
      const credential = route.auth === 'none' ? {} : account.bearer
      const answer = await send(
        route.method,
        pathOf(route),
        { ...credential, ...json },
        `{"x":"${'a'.repeat(2_000_000)}"}`,
      )
      expect(answer.status, id).toBe(413)
    }
  })

  it('names unknown members, ignores them and protects prototypes', async () => {
    const forced = {
      is_staff: true,
      user_id: 1,
      id: 1,
      email_verified: true,
      phone_verified: true,
      state: 'active',
      balance: 1_000_000,
      created_at: '2020-01-01T00:00:00Z',
      password_hash: 'x',
      constructor: { prototype: { admin: true } },
      toString: 'x',
    }
    const before = await countRows()
    for (const [id, route] of withBody) {
      const credential = route.auth === 'none' ? {} : account.bearer
      const own = new Set(membersOf(route))
      const answer = await send(route.method, pathOf(route), { ...credential, ...json }, JSON.stringify(forced))
      expectRefused(answer, [400])
      const unknown = (JSON.parse(answer.body).errors as { field: string; code: string }[])
        .filter(({ code }) => code === 'unknown_member')
        .map(({ field }) => field)
      expect(unknown.sort(), id).toEqual(
        Object.keys(forced)
          .filter((name) => !own.has(name))
          .sort(),
      )
    }
    expect(await countRows()).toBe(before)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it('refuses 300 MB without a length and buffers none of it', async () => {
    const { hostname, port } = new URL(server.url)
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    const status = await new Promise<number>((resolve, reject) => {
      const route = contract.logInByPassword
      const outgoing = request({ hostname, port, method: 'POST', path: route.path, headers: json }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      // The server may close the connection before it has read everything.
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        /ECONNRESET|EPIPE/.test(error.code ?? '') ? resolve(413) : reject(error),
      )
      const chunk = Buffer.alloc(1 << 20, 'a')
      let sent = 0
      const more = () => {
        while (sent < 300) {
          sent++
          if (!outgoing.write(chunk)) return void outgoing.once('drain', more)
        }
        outgoing.end()
      }
      more()
    })
    expect(status).toBe(413)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20)
  })
})

describe('U+0000 in a path', () => {
  const declared = Object.values({ ...contract, ...connectionPages, ...webhooks }) as RouteDeclaration[]
  const paths = declared.filter(({ params }) => params)

  it.each(paths.map(({ method, path }) => [method, path]))('is not found: %s %s', async (method, path) => {
    const answer = await send(method, path.replace(/\{\w+\}/g, '%00'), account.bearer)
    expect(answer.status).toBe(404)
  })
})

describe('bad credentials', () => {
  const malformed: [string, string[]][] = [
    ['nothing', []],
    ['Bearer alone', ['authorization', 'Bearer']],
    ['Bearer with a space', ['authorization', 'Bearer ']],
    ['another scheme', ['authorization', 'Basic YTpi']],
    ['no scheme', ['authorization', 'hpxt_x']],
    ['16 KB', ['authorization', `Bearer ${'a'.repeat(12_000)}`]],
    ['a wrong checksum', ['authorization', `Bearer hpxt_${'a'.repeat(38)}`]],
    ['percent signs', ['authorization', 'Bearer %ZZ%00']],
    ['two tokens in one header', ['authorization', 'Bearer a, Bearer b']],
    ['the header twice', ['authorization', 'Bearer a', 'authorization', 'Bearer b']],
    ['an empty key', ['x-api-key', '']],
    ['a key of nonsense', ['x-api-key', "' or 1=1 --"]],
    ['a key with a wrong checksum', ['x-api-key', `hpxk_${'a'.repeat(38)}`]],
    ['the key header twice', ['x-api-key', 'a', 'x-api-key', 'b']],
  ]

  it.each(malformed)('answers 401 to %s at every guarded endpoint', async (_name, headers) => {
    for (const [id, route] of guarded) {
      const answer = await send(route.method, pathOf(route), ['host', new URL(server.url).host, ...headers])
      expect(answer.status, `${id} ${answer.body}`).toBe(401)
      expect(answer.headers['www-authenticate'], id).toMatch(/^Bearer/)
    }
  })

  it('answers 400 to two credentials at every guarded endpoint', async () => {
    for (const [id, route] of guarded) {
      const answer = await send(route.method, pathOf(route), { ...account.bearer, ...account.key })
      expect(JSON.parse(answer.body).code, id).toBe('ambiguous_credentials')
      expect(answer.status, id).toBe(400)
    }
  })

  it('ignores credentials in query, cookie and body', async () => {
    const token = account.bearer.authorization.slice('Bearer '.length)
    const secretKey = account.key['x-api-key']
    for (const [id, route] of guarded) {
      const path = pathOf(route)
      const hidden: Record<string, string>[] = [{ cookie: `token=${token}; authorization=Bearer ${token}` }, {}]
      for (const headers of hidden) {
        const answer = await send(route.method, `${path}?token=${token}&api_key=${secretKey}`, headers)
        expect(answer.status, id).toBe(401)
      }
    }
    expect(server.logged.join('')).not.toContain(token)
    expect(server.logged.join('')).not.toContain(secretKey)
  })

  it('answers 403 to an API key where a session is required', async () => {
    for (const [id, route] of guarded.filter(([, declared]) => declared.auth === 'bearer')) {
      const answer = await send(route.method, pathOf(route), { ...account.key })
      expect(answer.status, id).toBe(403)
      expect(JSON.parse(answer.body).code, id).toBe('wrong_credential_kind')
    }
  })

  it('answers 403 to a key without the scope', async () => {
    for (const [id, route] of guarded) {
      if (typeof route.auth !== 'object') continue
      const other = route.auth.scope === 'usage:read' ? 'inventory:read' : 'usage:read'
      const weak = await buildAccount(server.services.db, { scopes: [other] })
      const answer = await send(route.method, pathOf(route), { ...weak.key })
      expect(answer.status, id).toBe(403)
      expect(JSON.parse(answer.body).code, id).toBe('insufficient_scope')
    }
  })
})

describe('bad methods and paths', () => {
  it('answers 405 with Allow to every other method', async () => {
    const byPath = Map.groupBy(routes, ([, route]) => pathOf(route))
    for (const [, declared] of byPath) {
      const path = pathOf(declared[0]![1])
      const allowed = new Set(declared.map(([, route]) => route.method as string))
      if (allowed.has('GET')) allowed.add('HEAD')
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !allowed.has(one))) {
        const answer = await send(method, path, { ...account.bearer, 'x-http-method-override': 'GET' })
        expect(answer.status, `${method} ${path}`).toBe(405)
        for (const one of declared) expect(answer.headers.allow).toContain(one[1].method)
      }
    }
  })

  it.each(['without its last slash', 'with a double slash'])(
    'answers 404 to a path %s without redirecting',
    async (how) => {
      for (const [id, route] of routes) {
        const path = how.startsWith('without') ? pathOf(route).slice(0, -1) : `${pathOf(route)}/`
        const answer = await send(route.method, path, { ...account.bearer })
        expect(answer.status, id).toBe(404)
      }
    },
  )

  it('answers 404 to ids of another kind and to nonsense', async () => {
    for (const [id, route] of routes.filter(([, declared]) => declared.params)) {
      for (const nonsense of ['1', '%27%20or%201=1', '%00', '..%2f..%2fetc', '%E0%A4%A', newId('ord')]) {
        const path = route.path.replace(/\{\w+\}/g, nonsense)
        const answer = await send(
          route.method,
          path,
          { ...account.bearer, ...(route.body ? json : {}) },
          route.body ? '{}' : undefined,
        )
        expect([400, 404, 405], `${id} ${path} ${answer.body}`).toContain(answer.status)
      }
    }
  })

  it.each(['page=1&page=2', 'nonsense=1', 'page=%00', 'page_size=-1', 'page_size=0', 'status=%27'])(
    'answers 400 to the unexpected query %s',
    async (query) => {
      for (const [id, route] of routes.filter(([, declared]) => declared.method === 'GET')) {
        const answer = await send('GET', `${pathOf(route)}?${query}`, { ...account.bearer })
        expect([400, 404], `${id} ${answer.body}`).toContain(answer.status)
      }
    },
  )
})
