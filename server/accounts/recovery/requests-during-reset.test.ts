import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { goodPassword, type Registered, register, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { newMailboxToken, storeMailboxToken } from '#server/accounts/email-verification/mailbox-tokens.ts'
import { codeMac } from '#server/accounts/limits/account-keys.ts'
import { createBrowser } from '#server/integrations/connections/testing/browser.ts'
import { authorize } from '#server/integrations/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'
import { type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'
import { confirmPasswordReset } from './reset-password.ts'

/** Requests authorized before a reset that first verifies the mailbox, and that continue during its commit. */
let apple: AppleSandbox
let ebay: TestPlatform
let server: TestServer
let api: Api
beforeAll(async () => {
  apple = await startAppleSandbox()
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({
    works: false,
    platforms: [ebay.adapter],
    passwords: cheapPasswords,
    environment: { SANDBOX: 'on', ...apple.environment },
  })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
  await apple?.close()
})

interface Attacker extends Registered {
  phone: string
  key: string
  sub: string
}

/** Registers another person's address with every possible way in. */
async function attackerOf(): Promise<Attacker> {
  const account = await register(api)
  const phone = somePhone()
  const sub = `000.${account.id}.apple`
  const headers = bearer(account.token)
  const { db } = server.services
  await db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [account.id, phone])
  await db.none("insert into social_link (user_id, provider, subject) values ($1, 'apple', $2)", [account.id, sub])
  const key = (await api('POST', '/api/v1/api-keys/', { headers, body: { name: 'x' } })).body.key
  return { ...account, phone, key, sub }
}

/** Begins a reset by the owner of the mailbox that is about to commit. */
async function beginReset(account: Registered): Promise<{ commit: () => Promise<void> }> {
  const { services } = server
  const token = newMailboxToken('reset')
  await storeMailboxToken(services.db, 'reset', token, { user_id: account.id, email: account.email })
  const [reached, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const db = new Proxy(services.db, {
    get(target, name) {
      if (name !== 'tx') return Reflect.get(target, name)
      return (tag: string, work: (tx: unknown) => Promise<unknown>) =>
        target.tx(tag, async (tx) => {
          await work(tx)
          reached.resolve()
          await committing.promise
        })
    },
  })
  const reset = confirmPasswordReset({ ...services, db }, { token, password: 'quiet harbour 77' }, '198.18.0.1')
  await Promise.race([reached.promise, reset])
  return {
    async commit() {
      committing.resolve()
      await reset
    },
  }
}

const isWaitedFor = (times = 1) =>
  until(
    () =>
      server.services.db.any(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      ),
    (rows) => rows.length >= times,
  )

/** Returns everything that gives access to an account or exports its data. */
const waysIn = (user_id: number) =>
  server.services.db.one(
    `select (select count(*) from bearer_token where user_id = $1) as tokens,
       (select count(*) from api_key where user_id = $1) as keys,
       (select count(*) from social_link where user_id = $1) as links,
       (select count(*) from webhook_endpoint where user_id = $1) as webhooks,
       (select count(*) from connect_ticket where user_id = $1) as tickets,
       (select count(*) from oauth_state where user_id = $1) as states,
       (select count(*) from seller_account where user_id = $1 and status <> 'revoked') as shops`,
    [user_id],
  )
const none = { tokens: 0, keys: 0, links: 0, webhooks: 0, tickets: 0, states: 0, shops: 0 }

type Start = () => Promise<{ status: number }>
const post = (path: string, headers: Record<string, string>, body?: object) => () =>
  api('POST', path, { headers, body })
const hook = { url: 'https://93.184.216.34/hook' }
/** Each prepares a request and returns how to send it during the commit. */
const attempts: [string, (attacker: Attacker) => Promise<Start>][] = [
  ['a new key', async ({ token }) => post('/api/v1/api-keys/', bearer(token), { name: 'late' })],
  ['a webhook address, by a session', async ({ token }) => post('/api/v1/webhooks/', bearer(token), hook)],
  ['a webhook address, by a key', async ({ key }) => post('/api/v1/webhooks/', { 'x-api-key': key }, hook)],
  ['the start of a connection', async ({ token }) => post('/api/v1/platforms/ebay/connect/', bearer(token))],
  [
    'a link to Apple',
    async ({ id, token }) => {
      const { identity_token } = await apple.signIn({ sub: `000.${id}.late` })
      return post('/api/auth/connect-social/', bearer(token), { provider: 'apple', token: identity_token })
    },
  ],
  ['a sign-in with Apple', async ({ sub }) => post('/api/auth/apple/', {}, await apple.signIn({ sub }))],
  [
    'a sign-in by phone',
    async ({ phone }) => {
      const token = randomUUID()
      const hash = createHash('sha256').update(token).digest()
      await server.services.db.none(
        `insert into phone_challenge (token_hash, purpose, phone_number, code_mac, expires_at)
         values ($1, 'signin', $2, $3, now() + interval '10 minutes')`,
        [hash, phone, codeMac(server.services.config, hash, '123456')],
      )
      return post('/api/auth/login/phone/verify/', {}, { signin_token: token, code: '123456' })
    },
  ],
  ['a sign-in by password', async ({ email }) => post('/api/auth/login/', {}, { email, password: goodPassword })],
  [
    'an authorization in a web view',
    async ({ token }) =>
      () =>
        createBrowser().get(`${server.url}/accounts/ebay/login/`, bearer(token)),
  ],
  [
    'a connection on the page',
    async ({ email }) => {
      const browser = createBrowser()
      await browser.post(`${server.url}/connect/`, { email, password: goodPassword })
      return () => browser.get(`${server.url}/connect/?to=ebay`)
    },
  ],
]

describe('requests in progress when the owner verifies the mailbox', () => {
  it.each(attempts)('%s', async (_name, prepare) => {
    const attacker = await attackerOf()
    const start = await prepare(attacker)
    const reset = await beginReset(attacker)
    const answered = start()
    await Promise.race([isWaitedFor(), answered])
    await reset.commit()
    expect((await answered).status).toBeLessThan(500)
    expect(await waysIn(attacker.id)).toEqual(none)
  })

  it.each(attempts.filter(([name]) => !/Apple|phone|password/.test(name)))(
    '%s works without a reset',
    async (_name, prepare) => {
      const start = await prepare(await attackerOf())
      expect((await start()).status).toBeLessThan(400)
    },
  )

  it('cannot keep a shop that the platform is just handing over', async () => {
    const attacker = await attackerOf()
    const holder = { ...attacker, user_id: attacker.id, bearer: bearer(attacker.token), key: { 'x-api-key': '' } }
    ebay.seller = { id: `late-${attacker.id}`, name: `late_${attacker.id}` }
    const { browser, callback } = await authorize(server.url, holder, 'ebay')
    ebay.before = async (call) => {
      if (call === 'exchange') await (await beginReset(attacker)).commit()
    }
    const answer = await browser.get(callback)
    ebay.before = async () => {}
    expect(answer.status).toBe(400)
    expect(await waysIn(attacker.id)).toEqual(none)
  })

  it('turns a sign-in with Apple into one of another account', async () => {
    const attacker = await attackerOf()
    const signed = await apple.signIn({ sub: attacker.sub })
    const reset = await beginReset(attacker)
    const answered = api('POST', '/api/auth/apple/', { body: signed })
    await isWaitedFor()
    await reset.commit()
    expect((await answered).status).toBe(200)
    expect((await answered).body.user.id).not.toBe(attacker.id)
  })
})

describe('one Apple identity linked and used at once', () => {
  it('works in either order', async () => {
    const person = await attackerOf()
    const [linking, entering] = [await apple.signIn({ sub: person.sub }), await apple.signIn({ sub: person.sub })]
    const link = () =>
      api('POST', '/api/auth/connect-social/', {
        headers: bearer(person.token),
        body: { provider: 'apple', token: linking.identity_token },
      })
    const replies: Promise<{ status: number }>[] = []
    await server.services.db.tx(async (tx) => {
      await tx.one('select 1 from app_user where id = $1 for update', [person.id])
      replies.push(link())
      await isWaitedFor(1)
      replies.push(api('POST', '/api/auth/apple/', { body: entering }))
      await isWaitedFor(2)
    })
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200])
  })
})
