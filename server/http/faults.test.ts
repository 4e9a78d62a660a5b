import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { goodPassword, someEmail } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract } from '#shared/contract/index.ts'
import { newId } from '#shared/identity.ts'
import { limitKey } from './client-address.ts'

/** Failures below a handler, and the log lines of a request. */
let server: TestServer
/** Thrown by every query except credential lookups and request counts. */
let fault: Error | null = null
beforeAll(async () => {
  server = await startTestServer({
    works: false,
    prepare: async (services) => {
      const methods = ['any', 'one', 'oneOrNone', 'none', 'many', 'map', 'result', 'tx', 'task', 'manyOrNone']
      services.db = new Proxy(services.db, {
        get(db, name) {
          const value: unknown = Reflect.get(db, name)
          if (!methods.includes(String(name)) || typeof value !== 'function') return value
          return (query: { name?: string }, ...more: unknown[]) => {
            if (fault && !/\/countRequests$/.test(query?.name ?? '')) return Promise.reject(fault)
            return value.call(db, query, ...more)
          }
        },
      })
    },
  })
})
afterAll(async () => {
  fault = null
  await server?.close()
})

const candidates = [
  'ebay',
  '1',
  ...(['key', 'job', 'itm', 'inv', 'sel', 'blk', 'chg', 'tsk', 'ord', 'whk', 'evt', 'alm'] as const).map(newId),
]
const pathOf = (route: RouteDeclaration) =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = route.params!.shape[name] as z.ZodType
    return candidates.find((candidate) => schema.safeParse(candidate).success)!
  })

/** Internal details that must never be revealed. */
const inside =
  /select |insert |update |from app_user|app_user|constraint|relation|node_modules|\.ts\b|\.sql\b|at \/|stack|pg-promise|ECONN|canary/i

describe('an internal fault', () => {
  const faults: [string, Error, number[]][] = [
    [
      'a broken query',
      Object.assign(new Error('canary: column "x" of relation "app_user" does not exist, at /srv/x.ts:1'), {
        code: '42703',
        table: 'app_user',
      }),
      [500],
    ],
    [
      'a violated constraint',
      Object.assign(new Error('duplicate key value violates unique constraint "canary"'), {
        code: '23505',
        detail: 'Key (email)=(canary@example.com) already exists.',
      }),
      [500],
    ],
    [
      'a database that is gone',
      Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432 canary'), { code: 'ECONNREFUSED' }),
      [503],
    ],
    ['no connection left', new Error('timeout exceeded when trying to connect canary'), [503]],
    ['something that is no error', Object.assign(new Error(), { message: 'canary' }), [500]],
  ]
  const calls = (Object.entries(contract) as [string, RouteDeclaration][]).filter(
    ([, route]) => route.method === 'GET' || !route.body,
  )

  it.each(faults)('%s gets a general answer everywhere', async (_name, error, statuses) => {
    const account = await buildAccount(server.services.db)
    let broken = 0
    fault = error
    try {
      for (const [id, route] of calls) {
        const response = await fetch(server.url + pathOf(route), {
          method: route.method,
          headers: route.auth === 'none' ? {} : account.bearer,
        })
        const text = await response.text()
        // Requests without queries, or refused before the first, answer normally.
        if (response.status < 500) continue
        broken++
        expect(statuses, id).toContain(response.status)
        const body = JSON.parse(text)
        expect(Object.keys(body).sort(), id).toEqual(['code', 'detail', 'request_id', 'status', 'title', 'type'])
        expect(text, id).not.toMatch(inside)
        if (response.status === 503) expect(response.headers.get('retry-after'), id).toBeTruthy()
      }
    } finally {
      fault = null
    }
    expect(broken).toBeGreaterThan(10)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(server.logged.join()).not.toContain('canary@example.com')
  })

  it('in a request body gets one, too', async () => {
    const email = someEmail()
    fault = new Error('canary')
    try {
      for (const [path, body] of [
        ['/api/auth/register/email/', { email, password: goodPassword, password_confirm: goodPassword }],
        ['/api/auth/login/', { email, password: goodPassword }],
        ['/api/auth/password/reset/request/', { email }],
        ['/api/auth/register/begin/', { phone_number: '4155550100' }],
        ['/api/auth/email/recover/', { phone_number: '4155550100' }],
      ] as const) {
        const reply = await apiOf(server.url)('POST', path, { body })
        expect([path, reply.status, reply.body.code]).toEqual([path, 500, 'internal'])
        expect(JSON.stringify(reply.body)).not.toMatch(inside)
      }
    } finally {
      fault = null
    }
  })
})

describe('the log', () => {
  it('has one line of JSON per event, whatever a request contains', async () => {
    const { hostname, port } = new URL(server.url)
    const before = server.logged.length
    for (const path of [
      '/a%0d%0a{"level":60}',
      '/%1b[31mred',
      '/x\u2028y',
      '/"quoted"',
      '/%00',
      '/hpxt_abcdefghijklmnop',
    ]) {
      await new Promise<void>((resolve) => {
        const sent = request(
          { hostname, port, path: encodeURI(path).replaceAll('%25', '%'), headers: { 'user-agent': '"}\t{ [2J' } },
          (response) => {
            response.resume().on('end', resolve)
          },
        )
        sent.on('error', () => resolve())
        sent.end()
      })
    }
    const lines = server.logged.slice(before)
    expect(lines.length).toBeGreaterThanOrEqual(6)
    for (const line of lines) {
      for (const character of ['\n', '\r', '\x1b', '\u2028']) expect(line.trimEnd()).not.toContain(character)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) })
    }
    expect(lines.join()).not.toContain('hpxt_abcdefghijklmnop')
  })
})

describe('an address as a counting key', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'unknown'],
    ['unknown', 'unknown'],
    ['203.0.113.9:4711', 'unknown'],
    ['203.0.113.999', 'unknown'],
    ['1.2.3', 'unknown'],
    ['0x7f.1', 'unknown'],
    ['203.0.113.9, 10.0.0.1', 'unknown'],
  ])('%s counts as %s', (address, key) => {
    expect(limitKey(address)).toBe(key)
  })

  it('has one key for 100,000 addresses of a /64', () => {
    const keys = new Set<string>()
    for (let index = 0; index < 100_000; index++) {
      keys.add(limitKey(`2001:db8:7:9:${(index * 7919).toString(16).slice(-4)}::${index.toString(16).slice(-4)}`))
      keys.add(limitKey(`forged-${index}`))
    }
    expect([...keys].sort()).toEqual(['2001:db8:7:9::/64', 'unknown'])
  })
})
