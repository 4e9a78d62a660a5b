import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { campaignSeed, rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { someEmail, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createPasswordHasher, type PasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { realLimits } from '#server/http/limits/limit-settings.ts'

/**
 * Reset, recovery, phone sign-in and sign-in must not reveal whether an account exists: status, headers and body are
 * equal and times indistinguishable.
 */
const count = rounds(250)
const random = randomFrom(campaignSeed)
/** Calls that are not counted: the first ones load and compile. */
const warmUp = 5
/**
 * The standard error of the area for two samples of a size is about 0.41 / sqrt(n). Allow four of them, and at least
 * 0.05: one of 15,000 comparisons then fails by chance. Of times that differ by 1.2 standard deviations 50 rounds notice
 * nine in ten, 250 rounds those of 0.5 deviations. A missing password hash makes more than five.
 */
const allowed = (size: number) => Math.max(0.05, (4 * 0.41) / Math.sqrt(size))

/** Durations of the password hashes since the last reset. */
let hashedMs: number[] = []
const hasher = createPasswordHasher()
const passwords: PasswordHasher = {
  ...hasher,
  async hash(password, priority) {
    const startedMs = performance.now()
    const hash = await hasher.hash(password, priority)
    hashedMs.push(performance.now() - startedMs)
    return hash
  },
}

let server: TestServer
let api: Api
let addresses = 0
const known: { email: string; phone: string }[] = []
beforeAll(async () => {
  server = await startTestServer({
    works: false,
    passwords,
    environment: { SANDBOX: 'on', TRUSTED_HOPS: '1' },
    limits: { ...realLimits, textsPerHourInAll: 1_000_000_000, textsPerHourAndRange: 1_000_000_000 },
  })
  api = apiOf(server.url)
  const password_hash = await hasher.hash('paper lantern 42')
  for (let index = 0; index < count + warmUp; index++) {
    const person = { email: someEmail(), phone: somePhone() }
    known.push(person)
    await server.services.db.none(
      `insert into app_user (username, email, email_verified, phone_number, phone_verified, password_hash)
       values ($1, $2, true, $3, true, $4) on conflict do nothing`,
      [person.email.split('@')[0], person.email, person.phone, password_hash],
    )
  }
  await server.services.db.none('analyze')
})
afterAll(() => server?.close())

type Person = { email: string; phone: string }
const endpoints: [string, (person: Person, from: string) => ReturnType<Api>][] = [
  [
    'a password reset',
    ({ email }, from) => api('POST', '/api/auth/password/reset/request/', { from, body: { email } }),
  ],
  [
    'an email recovery',
    ({ phone }, from) => api('POST', '/api/auth/email/recover/', { from, body: { phone_number: phone } }),
  ],
  [
    'a phone registration',
    ({ phone }, from) => api('POST', '/api/auth/register/begin/', { from, body: { phone_number: phone } }),
  ],
  [
    'a phone sign-in',
    ({ phone }, from) => api('POST', '/api/auth/login/phone/begin/', { from, body: { phone_number: phone } }),
  ],
  [
    'a sign-in',
    ({ email }, from) => api('POST', '/api/auth/login/', { from, body: { email, password: 'wrong lantern 1' } }),
  ],
]

/** Returns the probability that a call of one kind took longer than one of the other; 0.5 is indistinguishable. */
function area(one: number[], other: number[]): number {
  const all = [...one.map((time) => ({ time, first: true })), ...other.map((time) => ({ time, first: false }))]
  all.sort((left, right) => left.time - right.time)
  let ranks = 0
  for (const [index, { first }] of all.entries()) if (first) ranks += index + 1
  return (ranks - (one.length * (one.length + 1)) / 2) / (one.length * other.length)
}

describe('whether an account exists is not revealed', () => {
  it.each(endpoints)('by %s', { timeout: roundsTimeoutMs(count, 400) }, async (name, call) => {
    await server.services.db.none('delete from recent_event')
    const times = { known: [] as number[], unknown: [] as number[] }
    const shapes = new Set<string>()
    for (const [kind, round] of shuffled('known', 'unknown', -warmUp, count)) {
      const person = kind === 'known' ? known[round + warmUp]! : { email: someEmail(), phone: somePhone() }
      const from = nextAddress()
      const startedMs = performance.now()
      const reply = await call(person, from)
      if (round >= 0) times[kind].push(performance.now() - startedMs)
      shapes.add(shapeOf(reply))
    }
    expect([...shapes].slice(1)).toEqual([])
    expectAlike(name, times.known, times.unknown)
  })
})

/** The response reveals a taken address, since it contains a token. Its timing must not reveal it earlier. */
describe('whether an address is taken', () => {
  const hashes = rounds(60)
  const register = (email: string, more: object = {}) => {
    const password = 'paper lantern 42'
    return api('POST', '/api/auth/register/email/', {
      from: nextAddress(),
      body: { email, password, password_confirm: password, ...more },
    })
  }

  it('costs the same hash as a free address', { timeout: roundsTimeoutMs(hashes, 400) }, async () => {
    const times = { taken: [] as number[], free: [] as number[] }
    for (const [kind, round] of shuffled('taken', 'free', 0, hashes)) {
      hashedMs = []
      const reply = await register(kind === 'taken' ? known[round]!.email : someEmail())
      expect(reply.status).toBe(kind === 'taken' ? 409 : 201)
      expect(hashedMs).toHaveLength(1)
      times[kind].push(...hashedMs)
    }
    expectAlike('the hash of a registration', times.taken, times.free)
  })

  it('is not revealed by a registration with a bad password', {
    timeout: roundsTimeoutMs(count, 100),
  }, async () => {
    const times = { taken: [] as number[], free: [] as number[] }
    const shapes = new Set<string>()
    for (const [kind, round] of shuffled('taken', 'free', -warmUp, count)) {
      const email = kind === 'taken' ? known[round + warmUp]!.email : someEmail()
      const startedMs = performance.now()
      const reply = await register(email, { password: 'password1', password_confirm: 'password1' })
      if (round >= 0) times[kind].push(performance.now() - startedMs)
      shapes.add(shapeOf(reply))
    }
    expect([...shapes]).toEqual([expect.stringContaining('common_password')])
    expectAlike('a registration that is refused', times.taken, times.free)
  })
})

/**
 * Returns the calls of both kinds of the rounds `from` to `to`: first those that are not counted, then the others in an
 * order in which neither kind follows the other more often. On a busy machine, work that a call leaves behind slows the next.
 */
function shuffled<One extends string, Other extends string>(one: One, other: Other, from: number, to: number) {
  const calls: [One | Other, number, number][] = []
  for (let round = from; round < to; round++) {
    for (const kind of [one, other]) calls.push([kind, round, round < 0 ? round : random()])
  }
  return calls.sort(([, , left], [, , right]) => left - right)
}

function expectAlike(name: string, one: number[], other: number[]): void {
  const found = area(one, other)
  if (process.env.ROUNDS) process.stdout.write(`${name}: area under the curve ${found.toFixed(3)}\n`)
  expect(Math.abs(found - 0.5)).toBeLessThanOrEqual(allowed(one.length))
}

function nextAddress(): string {
  return `10.${++addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Returns a response without values that are always new: ids, tokens and times. */
function shapeOf({ status, headers, body }: Awaited<ReturnType<Api>>): string {
  const seen = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
  const blank = { ...body, request_id: '', signup_token: '', signin_token: '', expires_at: '' }
  return JSON.stringify([status, seen.map(([name, value]) => [name, value.replace(/t=\d+/g, 't=')]), blank])
}
