import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, parallel, statuses } from '#e2e/harness/api.ts'
import { heldPasswords } from '#e2e/harness/held-passwords.ts'
import { someEmail } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { hashSecret } from '#server/http/credentials/credentials.ts'
import { beginSignIn, finishSignIn, type SignIn, undoSignIn } from './sign-ins.ts'

let server: TestServer
let held: Awaited<ReturnType<typeof heldPasswords>>
beforeAll(async () => {
  held = await heldPasswords(2)
  server = await startTestServer({
    works: false,
    environment: { TRUSTED_HOPS: '1' },
    passwords: held.passwords,
  })
})
afterAll(() => server?.close())

const client = { address: '203.0.113.7', userAgent: 'test/1.0' }

const someone = (network = randomBytes(32)): SignIn => {
  const email = someEmail()
  return { subject: createHash('sha256').update(email).digest(), network, email }
}
const countOf = async ({ subject, network }: SignIn) =>
  server.services.db.map(
    `select count from failed_attempt where subject = $1 and network in ($2, ''::bytea) order by kind`,
    [subject, network],
    ({ count }) => count,
  )
const begin = (signIn: SignIn, withStrangers = true) => beginSignIn(server.services.db, signIn, withStrangers)
const refused = { status: 429, code: 'rate_limited' }

describe('a sign-in by password', () => {
  it('is tried 5 times for each account and network', async () => {
    const people = Array.from({ length: 12 }, () => someone())
    const passed = new Map<SignIn, number>()
    await parallel(12 * 16, async (index) => {
      const signIn = people[(index * 5) % 12]!
      const account = await begin(signIn).catch((error: unknown) => error)
      if (account === null) passed.set(signIn, (passed.get(signIn) ?? 0) + 1)
      else expect(account).toMatchObject(refused)
    })
    expect(people.map((signIn) => passed.get(signIn))).toEqual(Array(12).fill(5))
    for (const signIn of people) expect(await countOf(signIn)).toEqual([5, 5])
  })

  it('is counted by account over all networks', async () => {
    const signIn = someone()
    await begin(signIn)
    await server.services.db.none(
      "update failed_attempt set count = 90 where kind = 'login-account' and subject = $1",
      [signIn.subject],
    )
    const all = await parallel(32, () =>
      begin({ ...signIn, network: randomBytes(32) }).catch((error: unknown) => error),
    )
    expect(all.filter((account) => account === null)).toHaveLength(10)
    expect(all.filter((account) => account !== null)).toEqual(Array(22).fill(expect.objectContaining(refused)))
  })

  it('finds its account, and whether the network is known to it', async () => {
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
    const found = await Promise.all([...people, none].map((signIn) => begin(signIn)))
    expect(found.map((account) => account?.id)).toEqual([...ids, undefined])
    expect(found.map((account) => account?.password_hash)).toEqual([...people.map(({ email }) => email), undefined])
    const isKnown = [false, true, false, true, false, true]
    expect(found.map((account) => account?.is_known_network)).toEqual([...isKnown, undefined])
  })

  it('is not counted when it is undone, beside many others', async () => {
    const people = Array.from({ length: 20 }, () => someone())
    for (let round = 0; round < 10; round++) {
      await parallel(40, async (index) => {
        const signIn = people[(index * (round % 2 ? 7 : 13)) % 20]!
        await begin(signIn)
        await undoSignIn(server.services.db, signIn, null)
      })
    }
    for (let index = 0; index < 4; index++) await begin(people[0]!)
    await Promise.all(Array.from({ length: 4 }, () => undoSignIn(server.services.db, people[0]!, null)))
    for (const signIn of people) expect(await countOf(signIn)).toEqual([0, 0])
  })

  it('gets no token when the password or account changed meanwhile', async () => {
    const { db } = server.services
    const people = Array.from({ length: 8 }, () => someone())
    for (const { email } of people)
      await db.none('insert into app_user (username, email, password_hash) values ($1, $1, $1)', [email])
    const accounts = await Promise.all(people.map((signIn) => begin(signIn)))
    const ids = accounts.map((account) => account!.id)
    await db.none("update app_user set password_hash = 'another' where id = $1", [ids[1]])
    await db.none("update app_user set state = 'deactivated' where id = $1", [ids[2]])
    // The first of them twice at once.
    const order = [0, 1, 2, 3, 4, 5, 6, 7, 0]
    const tokens = await parallel(9, (index) =>
      finishSignIn(server.services, accounts[order[index]!]!, people[order[index]!]!, client),
    )
    const holders = await Promise.all(
      tokens.map(
        (token) => token && db.one('select user_id from bearer_token where token_hash = $1', [hashSecret(token)]),
      ),
    )
    expect(holders).toEqual(order.map((place) => (place === 1 || place === 2 ? null : { user_id: ids[place] })))
    expect(new Set(tokens).size).toBe(8)
    for (const [place, signIn] of people.entries()) {
      const isRefused = place === 1 || place === 2
      expect(await countOf(signIn)).toEqual(isRefused ? [1, 1] : [])
      expect(await db.any('select network from known_network where user_id = $1', [ids[place]])).toEqual(
        isRefused ? [] : [{ network: signIn.network }],
      )
    }
  })

  it('begins and ends beside many others, and none blocks another', async () => {
    const { db } = server.services
    const people = Array.from({ length: 20 }, () => someone())
    for (const { email } of people)
      await db.none('insert into app_user (username, email, password_hash) values ($1, $1, $1)', [email])
    for (let round = 0; round < 10; round++) {
      const tokens = await parallel(40, async (index) => {
        const signIn = people[(index * (round % 2 ? 7 : 13)) % 20]!
        const account = await begin(signIn)
        return finishSignIn(server.services, account!, signIn, client)
      })
      expect(tokens.filter((token) => token === null)).toEqual([])
    }
    for (const signIn of people) expect(await countOf(signIn)).toEqual([])
  })

  it('is refused to strangers, uncounted, while the queue is full', async () => {
    const [known, stranger] = [someone(), someone()]
    for (const { email } of [known, stranger]) {
      await server.services.db.none('insert into app_user (username, email) values ($1, $1)', [email])
    }
    await server.services.db.none('insert into known_network select id, $2 from app_user where email = $1', [
      known.email,
      known.network,
    ])
    expect(await begin(known, false)).toMatchObject({ email: known.email, is_known_network: true })
    for (const signIn of [stranger, someone(), { ...known, network: randomBytes(32) }]) {
      await expect(begin(signIn, false)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
      expect(await countOf({ ...signIn, subject: stranger.subject })).toEqual([])
    }
    expect(await countOf(known)).toEqual([1])
  })
})

describe('a flood of sign-ins', () => {
  it('is counted where passwords are checked, and is 503 elsewhere', async () => {
    const logIn = (email: string, from: string) =>
      apiOf(server.url)('POST', '/api/auth/login/', { from, body: { email, password: 'wrong lantern 1' } })
    const email = someEmail()
    await server.services.db.none('delete from failed_attempt')
    const logged = server.logged.length
    held.hold()
    let unanswered = 40
    const answers = Promise.all(
      Array.from({ length: 40 }, (_, index) => logIn(email, `198.19.0.${index + 1}`).finally(() => unanswered--)),
    )
    // One password is with the thread, two wait.
    await until(() => unanswered === 3)
    held.release()
    expect(statuses(await answers)).toEqual({ 401: 3, 503: 37 })
    const counts = await server.services.db.one(
      "select sum(count) filter (where kind = 'login') as by_network, max(count) filter (where kind = 'login-account') as by_account from failed_attempt",
    )
    expect(counts).toEqual({ by_network: 3, by_account: 3 })
    const lines = server.logged.slice(logged)
    expect(lines.filter((line) => /"status":(503|401)/.test(line))).toHaveLength(40)
    expect(lines).toHaveLength(40)
  })
})
