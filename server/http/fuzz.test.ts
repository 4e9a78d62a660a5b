import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildAccount } from '#server/testing/account.ts'
import { cheapPasswords } from '#server/testing/cheap-passwords.ts'
import { someEmail } from '#server/testing/people.ts'
import { rounds, roundsTimeoutMs } from '#server/testing/rounds.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { Problem } from '#shared/contract/errors.ts'
import { contract } from '#shared/contract/index.ts'
import type { RouteDeclaration } from '#shared/contract/route.ts'
import { newId } from '#shared/identity.ts'

/**
 * T08, T09: every operation with random bodies and queries, made of its own members and of values that break servers:
 * other types, texts that are no text, SQL, huge numbers. 40 of each; 20,000 with ROUNDS. A run names its seed, and
 * SEED repeats it.
 */
const count = rounds(40)
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false, passwords: cheapPasswords })
})
afterAll(() => server?.close())

/** Numbers of [0, 1) that a seed decides (mulberry32). */
function randomOf(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** JSON texts of values, since not every one is what a program could write. */
const hostile = [
  ...['null', 'true', '0', '-0', '-1', '1e308', '1e999', '-1e-999', '12345678901234567890', '0.1', '[]', '{}', '[[]]'],
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\ufeff"',
    '"\\u202e"',
    '"\\r\\nBcc: x@example.com"',
  ],
  ...['"NaN"', '"1e5"', '"0x10"', '"2020-13-45T99:99:99Z"', '"+14155550100"', '"\u0664\u0661\u0665"', '"a@b.c"'],
  ...["\"' or '1'='1\"", '"; drop table app_user; --"', '"$1 $<x> $(user_id) $/x/"', '"-1) or (1=1"', '"%_\\\\"'],
  ...['{"$gt":""}', '{"__proto__":{"a":1}}', '["a","a"]', '[null]', '"../../etc/passwd"', '"http://169.254.169.254/"'],
  JSON.stringify('x'.repeat(70_000)),
  JSON.stringify('\ud83d\ude00'.repeat(300)),
  `[${'1,'.repeat(3_000)}1]`,
]
/** Values that are good by the name of their member, so that one bad one among them reaches as deep as it can. */
const good: Record<string, unknown> = {
  password: 'paper lantern 42',
  password_confirm: 'paper lantern 42',
  full_name: 'Ada Lovelace',
  phone_number: '4155550123',
  name: 'a key',
  title: 'Wool coat',
  description: 'Warm',
  sku: 'SKU-1',
  images: ['https://example.com/coat.jpg'],
  condition: { label: 'Good', notes: 'None' },
  offer: { price_minor: 8_500, currency: 'USD' },
  line1: 'Main St 1',
  city: 'Troy',
  region: 'NY',
  postal_code: '12180',
  country: 'US',
  default_currency: 'USD',
  url: 'https://93.184.216.34/hook',
  platform: 'depop',
  shop: { username: 'ada', url: 'https://www.depop.com/ada/' },
  signup_token: '00000000-0000-4000-8000-000000000000',
  signin_token: '00000000-0000-4000-8000-000000000000',
  code: '123456',
  token: 'x',
  provider: 'apple',
}

/** A body of good members with one bad value somewhere in it. */
function bodyOf(names: string[], random: () => number, bad: string): string {
  const body = Object.fromEntries(
    names.filter((name) => name in good || name === 'email').map((name) => [name, structuredClone(good[name])]),
  ) as Record<string, unknown>
  if ('email' in body) body.email = someEmail()
  let holder: Record<string, unknown> = body
  let key = names[Math.floor(random() * names.length)] ?? 'name'
  while (typeof holder[key] === 'object' && random() < 0.6) {
    holder = holder[key] as Record<string, unknown>
    const keys = Object.keys(holder)
    key = keys[Math.floor(random() * keys.length)] as string
  }
  holder[key] = 'PUT HERE'
  // Not a replacement pattern: bad values contain dollar signs.
  return JSON.stringify(body).replace('"PUT HERE"', () => bad)
}

const candidates = [
  'ebay',
  ...(['key', 'job', 'itm', 'inv', 'sel', 'blk', 'tsk', 'ord', 'whk', 'evt', 'alm'] as const).map(newId),
]
const pathOf = (route: RouteDeclaration) =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = route.params!.shape[name] as z.ZodType
    return candidates.find((candidate) => schema.safeParse(candidate).success) ?? 'x'
  })

function membersOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: object }
  return Object.keys(shape.properties ?? {})
}

const routes = (Object.entries(contract) as [string, RouteDeclaration][]).filter(
  // These end the account that the others use.
  ([id]) => id !== 'deactivateAccount' && id !== 'logOut',
)

describe(`T08, T09: bad values, seed ${seed}`, () => {
  it.each(routes)('%s', { timeout: roundsTimeoutMs(count) }, async (id, route) => {
    const random = randomOf(seed + id.length)
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
    const account = await buildAccount(server.services.db)
    const [body, query] = [membersOf(route.body), membersOf(route.query)]
    for (let round = 0; round < count; round++) {
      const asked = query
        .filter(() => random() < 0.5)
        .map((name) => {
          const value = pick(hostile).slice(0, 500).toWellFormed()
          return `${name}=${encodeURIComponent(random() < 0.5 ? value : value.replaceAll('"', ''))}`
        })
      const text = bodyOf(body, random, pick(hostile))
      const response = await fetch(`${server.url}${pathOf(route)}${asked.length > 0 ? `?${asked.join('&')}` : ''}`, {
        method: route.method,
        headers: {
          ...(route.auth === 'none' ? {} : account.bearer),
          ...(route.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(route.body ? { body: text } : {}),
      })
      const answer = await response.text()
      const where = `round ${round}: ${text.slice(0, 500)} ${asked.join('&').slice(0, 300)} -> ${answer.slice(0, 300)}`
      expect(response.status, where).toBeLessThan(500)
      if (response.status < 400) continue
      expect(Object.keys(route.replies), where).not.toContain(String(response.status))
      Problem.parse(JSON.parse(answer))
      expect(answer, where).not.toMatch(/select |insert |app_user|node_modules|\.ts:/)
    }
  })
})
