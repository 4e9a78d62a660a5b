import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { hashSecret } from '#server/http/credentials.ts'
import { apiOf, parallel, statuses } from '#server/testing/api.ts'
import { someEmail } from '#server/testing/people.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { until } from '#server/testing/until.ts'
import { type SignIns, signInsOf, type Tried } from './sign-ins.ts'

let server: TestServer
/** Of two servers over one database. */
let both: SignIns[]
let letThrough = Promise.resolve()
beforeAll(async () => {
  server = await startTestServer({
    works: false,
    environment: { TRUSTED_HOPS: '1' },
    passwords: createPasswordHasher({
      concurrency: 1,
      maxWaiting: 2,
      // Every password is wrong, once it is let through.
      threads: { hash: async () => '', verify: () => letThrough.then(() => false) },
    }),
  })
  both = [signInsOf({ ...server.services }), signInsOf({ ...server.services })]
})
afterAll(() => server?.close())

/** Where they sign in from. */
const client = { address: '203.0.113.7', userAgent: 'test/1.0' }

const someone = (network = randomBytes(32)): Tried => {
  const email = someEmail()
  return { subject: createHash('sha256').update(email).digest(), network, email }
}
const countOf = async ({ subject, network }: Tried) =>
  server.services.db.map(
    `select count from failed_attempt where subject = $1 and network in ($2, ''::bytea) order by kind`,
    [subject, network],
    ({ count }) => count,
  )
const refused = { status: 429, code: 'rate_limited' }

describe('sign-ins that go together', () => {
  it('are counted one by one: of many at once on two servers exactly 5 of each account and network are tried', async () => {
    const people = Array.from({ length: 12 }, () => someone())
    const passed = new Map<Tried, number>()
    await parallel(12 * 16, async (index) => {
      const tried = people[(index * 5) % 12]!
      const account = await both[index % 2]!.begin(tried).catch((error: unknown) => error)
      if (account === null) passed.set(tried, (passed.get(tried) ?? 0) + 1)
      else expect(account).toMatchObject(refused)
    })
    expect(people.map((tried) => passed.get(tried))).toEqual(Array(12).fill(5))
    for (const tried of people) expect(await countOf(tried)).toEqual([5, 5])
  })

  it('are counted by account over all networks, whatever goes with them', async () => {
    const tried = someone()
    await both[0]!.begin(tried)
    await server.services.db.none(
      "update failed_attempt set count = 90 where kind = 'login-account' and subject = $1",
      [tried.subject],
    )
    const all = await parallel(32, (index) =>
      both[index % 2]!.begin({ ...tried, network: randomBytes(32) }).catch((error: unknown) => error),
    )
    expect(all.filter((account) => account === null)).toHaveLength(10)
    expect(all.filter((account) => account !== null)).toEqual(Array(22).fill(expect.objectContaining(refused)))
  })

  it('find each its own account, and whether it was entered from there', async () => {
    const people = Array.from({ length: 6 }, () => someone())
    const ids: number[] = []
    for (const [index, { email, network }] of people.entries()) {
      const { id } = await server.services.db.one(
        'insert into app_user (username, email, password_hash) values ($1, $1, $1) returning id',
        [email],
      )
      ids.push(id)
      if (index % 2) await server.services.db.none('insert into known_network values ($1, $2)', [id, network])
    }
    const none = someone()
    const [found, looked] = await Promise.all([
      Promise.all([...people, none].map((tried) => both[0]!.begin(tried))),
      Promise.all([...people, none].map((tried) => both[1]!.look(tried))),
    ])
    expect(found.map((account) => account?.id)).toEqual([...ids, undefined])
    expect(found.map((account) => account?.password_hash)).toEqual([...people.map(({ email }) => email), undefined])
    const isKnown = [false, true, false, true, false, true]
    expect(found.map((account) => account?.is_known_network)).toEqual([...isKnown, undefined])
    expect(looked).toEqual([...isKnown, false])
  })

  it('that are taken back were never counted, and no two servers stop each other', async () => {
    const people = Array.from({ length: 20 }, () => someone())
    for (let round = 0; round < 10; round++) {
      await parallel(40, async (index) => {
        const tried = people[(index * (round % 2 ? 7 : 13)) % 20]!
        await both[index % 2]!.begin(tried)
        await both[(index + round) % 2]!.takeBack(tried, false)
      })
    }
    // Several of one go together, too.
    for (let index = 0; index < 4; index++) await both[0]!.begin(people[0]!)
    await Promise.all(Array.from({ length: 4 }, () => both[1]!.takeBack(people[0]!, false)))
    for (const tried of people) expect(await countOf(tried)).toEqual([0, 0])
  })

  it('end each by itself: who changed the password meanwhile, or is gone, gets nothing, and the others their own token', async () => {
    const { db } = server.services
    const people = Array.from({ length: 8 }, () => someone())
    for (const { email } of people)
      await db.none('insert into app_user (username, email, password_hash) values ($1, $1, $1)', [email])
    const accounts = await Promise.all(people.map((tried) => both[0]!.begin(tried)))
    const ids = accounts.map((account) => account!.id)
    await db.none("update app_user set password_hash = 'another' where id = $1", [ids[1]])
    await db.none("update app_user set state = 'deactivated' where id = $1", [ids[2]])
    // The first of them twice at once, and two servers at work.
    const order = [0, 1, 2, 3, 4, 5, 6, 7, 0]
    const tokens = await parallel(9, (index) =>
      both[index % 2]!.finish(accounts[order[index]!]!, people[order[index]!]!, client),
    )
    const holders = await Promise.all(
      tokens.map(
        (token) => token && db.one('select user_id from bearer_token where token_hash = $1', [hashSecret(token)]),
      ),
    )
    expect(holders).toEqual(order.map((place) => (place === 1 || place === 2 ? null : { user_id: ids[place] })))
    expect(new Set(tokens).size).toBe(8)
    for (const [place, tried] of people.entries()) {
      const isRefused = place === 1 || place === 2
      expect(await countOf(tried)).toEqual(isRefused ? [1, 1] : [])
      expect(await db.any('select network from known_network where user_id = $1', [ids[place]])).toEqual(
        isRefused ? [] : [{ network: tried.network }],
      )
    }
  })

  it('begin and end on two servers at once, and none stops another', async () => {
    const { db } = server.services
    const people = Array.from({ length: 20 }, () => someone())
    for (const { email } of people)
      await db.none('insert into app_user (username, email, password_hash) values ($1, $1, $1)', [email])
    for (let round = 0; round < 10; round++) {
      const tokens = await parallel(40, async (index) => {
        const tried = people[(index * (round % 2 ? 7 : 13)) % 20]!
        const account = await both[index % 2]!.begin(tried)
        return both[(index + round) % 2]!.finish(account!, tried, client)
      })
      expect(tokens.filter((token) => token === null)).toEqual([])
    }
    for (const tried of people) expect(await countOf(tried)).toEqual([])
  })

  it('are looked at without being counted, and told to wait as when they are', async () => {
    const [byNetwork, byAccount] = [someone(), someone()]
    for (let round = 0; round < 3; round++) expect(await both[0]!.look(byNetwork)).toBe(false)
    expect(await countOf(byNetwork)).toEqual([])
    for (let round = 0; round < 5; round++) await both[0]!.begin(byNetwork)
    await both[0]!.begin(byAccount)
    await server.services.db.none(
      "update failed_attempt set count = 99 where kind = 'login-account' and subject = $1",
      [byAccount.subject],
    )
    await both[0]!.begin(byAccount)
    for (const tried of [byNetwork, { ...byAccount, network: randomBytes(32) }]) {
      const outcomes = await Promise.allSettled([both[0]!.look(tried), both[0]!.begin(tried)])
      const [looked, begun] = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)
      expect(looked).toMatchObject(refused)
      expect(looked.message).toBe(begun.message)
      expect(Math.abs(looked.headers['retry-after'] - begun.headers['retry-after'])).toBeLessThanOrEqual(1)
    }
  })
})

describe('a flood of sign-ins', () => {
  it('counts who was tried, and nobody else; who has to wait is told so; of each there is one line in the log', async () => {
    const api = apiOf(server.url)
    const logIn = (email: string, from: string) =>
      api('POST', '/api/auth/login/', { from, body: { email, password: 'wrong lantern 1' } })
    const email = someEmail()
    for (let round = 0; round < 5; round++) await logIn(email, '198.18.0.1')
    await server.services.db.none('delete from failed_attempt where network = $1', [Buffer.alloc(0)])
    const logged = server.logged.length
    let open = () => {}
    letThrough = new Promise((resolve) => {
      open = resolve
    })
    // One at work, one behind it unless so many at once were taken for other requests, two in the line: all others are
    // answered while those wait.
    let unanswered = 40
    const others = Promise.all(
      Array.from({ length: 40 }, (_, index) => logIn(email, `198.19.0.${index + 1}`).finally(() => unanswered--)),
    )
    await until(() => unanswered <= 4)
    const waiting = await logIn(email, '198.18.0.1')
    expect(unanswered).toBeGreaterThan(2)
    open()
    expect(waiting).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    const answers = statuses(await others)
    const tried = answers[401] ?? 0
    expect([3, 4]).toContain(tried)
    expect(answers).toEqual({ 401: tried, 503: 40 - tried })
    const { count } = await server.services.db.one(
      "select max(count) as count from failed_attempt where kind = 'login-account'",
    )
    expect(count).toBe(tried)
    expect(server.logged.slice(logged).filter((line) => /"status":(503|429|401)/.test(line))).toHaveLength(41)
    expect(server.logged.slice(logged)).toHaveLength(41)
  })
})
