import { createHmac, generateKeyPairSync } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register, someEmail, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { type ApplePerson, type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'
import { buildListedItem, buildSeller, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { randomBase62 } from '#shared/identity.ts'
import { createAppleClient } from './client.ts'

let apple: AppleSandbox
let server: TestServer
let api: Api
/** Offset of the clock, for tests about keys. */
let clockMs = 0
/** Every URL that the server requested. */
let asked: string[] = []
beforeAll(async () => {
  apple = await startAppleSandbox()
  server = await startTestServer({
    environment: { SANDBOX: 'on', ...apple.environment },
    now: () => new Date(Date.now() + clockMs),
    prepare: async (services) => {
      const real = services.fetch
      services.fetch = (url, init) => {
        asked.push(url)
        return real(url, init)
      }
    },
  })
  api = apiOf(server.url)
})
beforeEach(() => {
  asked = []
  apple.state = 'up'
})
afterAll(async () => {
  await server?.close()
  await apple?.close()
})

const someSubject = () => `00${randomBase62(4)}.${randomBase62(32).toLowerCase()}.1234`
const person = (more: Partial<ApplePerson> = {}): ApplePerson => ({
  sub: someSubject(),
  email: someEmail(),
  email_verified: true,
  ...more,
})
const enter = (body: object) => api('POST', '/api/auth/apple/', { body })
const signIn = async (who: ApplePerson, more: object = {}) => enter({ ...(await apple.signIn(who)), ...more })
const validate = async (token: string) => (await api('GET', '/api/auth/validate/', { headers: bearer(token) })).status
const storedUser = (id: number) => server.services.db.one('select * from app_user where id = $1', [id])
/** Returns the account's connected shops and pending listing operations. */
const stillWorks = (user_id: number) =>
  server.services.db.one(
    `select (select count(*) from seller_account where user_id = $1 and status <> 'revoked') as shops,
       (select count(*) from listing_operation where user_id = $1 and state = 'open') as operations`,
    [user_id],
  )
const listingUrl = 'https://example.com/listing'
const refused = { status: 401, body: { code: 'invalid_identity_token' } }

describe('Sign in with Apple', () => {
  it('creates an account at the first sign-in and reuses it', async () => {
    const who = person()
    const first = await signIn(who, {
      user: { email: 'ignored@example.com', name: { firstName: 'Ada', lastName: 'Lovelace' } },
    })
    expect(first).toMatchObject({
      status: 200,
      body: { user: { email: who.email, username: expect.any(String) }, token: expect.stringMatching(/^hpxt_/) },
    })
    expect(await storedUser(first.body.user.id)).toMatchObject({
      first_name: 'Ada',
      last_name: 'Lovelace',
      email_verified: true,
      password_hash: null,
    })
    const next = await signIn({ sub: who.sub })
    expect(next.body.user).toEqual(first.body.user)
    expect(await validate(next.body.token)).toBe(200)
    expect(await validate(first.body.token)).toBe(200)
  })

  it('accepts string booleans and relay addresses', async () => {
    const email = `${randomBase62(10).toLowerCase()}@privaterelay.appleid.com`
    const reply = await signIn(person({ email, email_verified: 'true', is_private_email: 'true' }))
    expect(reply).toMatchObject({ status: 200, body: { user: { email } } })
  })

  it('encrypts Apple’s grant', async () => {
    const who = person()
    await signIn(who)
    const { encrypted_refresh_token } = await server.services.db.one(
      'select encrypted_refresh_token from social_link where subject = $1',
      [who.sub],
    )
    expect(encrypted_refresh_token.length).toBeGreaterThan(30)
    expect(encrypted_refresh_token.toString('latin1')).not.toMatch(/r[0-9a-f]{48}/)
  })

  it('reports when it is not configured', async () => {
    const plain = await startTestServer({ works: false })
    try {
      const reply = await apiOf(plain.url)('POST', '/api/auth/apple/', {
        body: { identity_token: 'x', authorization_code: 'y' },
      })
      expect(reply).toMatchObject({ status: 409, body: { code: 'platform_not_configured' } })
    } finally {
      await plain.close()
    }
  })

  it('accepts each identity token once, however it is encoded', async () => {
    const who = person()
    const signed = await apple.signIn(who)
    const replies = await parallel(32, () => enter(signed))
    expect(statuses(replies)).toEqual({ 200: 1, 401: 31 })
    const { authorization_code } = await apple.signIn(who)
    expect(await enter({ ...signed, authorization_code })).toMatchObject(refused)
    // The last character of a base64url text may hold unused bits.
    const last = signed.identity_token.at(-1)!
    for (const other of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      if (other === last) continue
      const spelled = signed.identity_token.slice(0, -1) + other
      expect((await enter({ identity_token: spelled, authorization_code })).status).toBe(401)
    }
  })

  it('requires a valid, unused code of the same person', async () => {
    const [one, other] = [await apple.signIn(person()), await apple.signIn(person())]
    expect(
      await enter({ identity_token: one.identity_token, authorization_code: other.authorization_code }),
    ).toMatchObject(refused)
    expect(
      await enter({ identity_token: other.identity_token, authorization_code: other.authorization_code }),
    ).toMatchObject(refused)
    expect(await enter({ ...(await apple.signIn(person())), authorization_code: 'invented' })).toMatchObject(refused)
  })

  it.each([
    ['no address', { email: undefined }, false],
    ['an unverified one', { email_verified: false }, false],
    ['an unverified one in words', { email_verified: 'false' as const }, false],
    ['one without a word on verification', { email_verified: undefined }, false],
    ['a verified one', {}, true],
  ])('with %s in the token, trusts only a signed and verified address', async (_name, more, counts) => {
    const who = person(more)
    const victim = await register(api)
    const reply = await signIn(who, { user: { email: victim.email } })
    expect(reply.status).toBe(200)
    expect(reply.body.user.email).toBe(counts ? who.email : null)
    expect((await storedUser(victim.id)).email).toBe(victim.email)
  })

  it('never links to an account that verified the address', async () => {
    const account = await register(api)
    await server.services.db.none('update app_user set email_verified = true where id = $1', [account.id])
    expect(await signIn(person({ email: account.email.toUpperCase() }))).toMatchObject({
      status: 409,
      body: { code: 'email_in_use' },
    })
    expect(await validate(account.token)).toBe(200)
  })

  it('revokes another account’s unverified address and access', async () => {
    const squatter = await register(api)
    const key = (await api('POST', '/api/v1/api-keys/', { headers: bearer(squatter.token), body: { name: 'x' } })).body
      .key
    const reply = await signIn(person({ email: squatter.email }))
    expect(reply).toMatchObject({ status: 200, body: { user: { email: squatter.email } } })
    expect(reply.body.user.id).not.toBe(squatter.id)
    expect(await storedUser(squatter.id)).toMatchObject({ email: null, password_hash: null })
    expect(await validate(squatter.token)).toBe(401)
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': key } })).status).toBe(401)
    expect(
      (await api('POST', '/api/auth/login/', { body: { email: squatter.email, password: goodPassword } })).status,
    ).toBe(401)
  })

  it('frees shops and cancels work of an account without a way in', async () => {
    const { db } = server.services
    const seller = await buildSeller(db, ['ebay', 'etsy'])
    const item = await buildListedItem(db, seller)
    await placeOrder(db, seller.user_id, orderFor(item, 'ebay'))
    const { email } = await db.one('select email from app_user where id = $1', [seller.user_id])
    expect((await signIn(person({ email }))).status).toBe(200)
    expect(await stillWorks(seller.user_id)).toEqual({ shops: 0, operations: 0 })
    const mail = await waitForMessage(server.services, email, 'account-replaced')
    expect(mail.text).toContain('A shop (eBay), A shop (Etsy)')
    expect(mail.text).toContain(listingUrl)
  })

  it('keeps an account with a verified phone and its shops', async () => {
    const { db } = server.services
    const seller = await buildSeller(db, ['ebay', 'etsy'])
    const item = await buildListedItem(db, seller)
    await placeOrder(db, seller.user_id, orderFor(item, 'ebay'))
    await db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [
      seller.user_id,
      somePhone(),
    ])
    const { email } = await db.one('select email from app_user where id = $1', [seller.user_id])
    expect((await signIn(person({ email }))).status).toBe(200)
    expect(await stillWorks(seller.user_id)).toEqual({ shops: 2, operations: 1 })
  })

  it('keeps the account of a seller who verified their address', async () => {
    const account = await register(api)
    const token = tokenIn(await waitForMessage(server.services, account.email, 'email-verification'))
    expect((await api('POST', '/api/auth/email-verification/confirm/', { body: { token } })).status).toBe(200)
    expect(await signIn(person({ email: account.email }))).toMatchObject({ status: 409 })
  })

  it('creates one account for parallel first sign-ins', async () => {
    const who = person()
    const signed = await parallel(16, () => apple.signIn(who))
    const replies = await Promise.all(signed.map(enter))
    expect(statuses(replies)).toEqual({ 200: 16 })
    expect(new Set(replies.map(({ body }) => body.user.id)).size).toBe(1)
    for (const { body } of replies) expect(await validate(body.token)).toBe(200)
  })

  it('stores a hostile name as plain text and refuses a long one', async () => {
    const name = { firstName: '<b>Ada</b>\r\nBcc: evil@example.com\u202e', lastName: 'x' }
    const reply = await signIn(person(), { user: { name } })
    const { first_name, last_name } = await storedUser(reply.body.user.id)
    expect(`${first_name} ${last_name}`).toBe('<b>Ada</b> Bcc: evil@example.com x')
    expect((await signIn(person(), { user: { name: { firstName: 'x'.repeat(151) } } })).status).toBe(400)
  })

  it('does not open a closed account and revokes Apple’s grant', async () => {
    const who = person()
    const { body } = await signIn(who)
    await api('POST', '/api/v1/user/deactivate/', { headers: bearer(body.token) })
    expect(await signIn(who)).toMatchObject(refused)
    expect(await signIn(person({ email: who.email }))).toMatchObject({ status: 409, body: { code: 'email_in_use' } })
    await expect.poll(() => apple.revoked.length).toBe(1)
    expect(apple.revoked[0]).toMatch(/^r[0-9a-f]{48}$/)
  })
})

describe('a web page', () => {
  it('signs in with the Services ID and its redirect URI', async () => {
    const who = person()
    const signed = await apple.signIn(who, { clientId: apple.environment.APPLE_SERVICES_ID })
    const { body, status } = await enter(signed)
    expect(status).toBe(200)
    // The same person in the app has the same account.
    expect((await signIn(who)).body.user.id).toBe(body.user.id)
  })

  it('cannot use its code in the app', async () => {
    const who = person()
    const fromWeb = await apple.signIn(who, { clientId: apple.environment.APPLE_SERVICES_ID })
    const fromApp = await apple.signIn(who)
    const mixed = { identity_token: fromApp.identity_token, authorization_code: fromWeb.authorization_code }
    expect(await enter(mixed)).toMatchObject(refused)
  })
})

describe('revoking a grant', () => {
  it('is retried when Apple does not accept our client', async () => {
    const who = person()
    const { body } = await signIn(who)
    const link = await server.services.db.one('select encrypted_refresh_token from social_link where subject = $1', [
      who.sub,
    ])
    const stranger = createAppleClient({
      ...server.services,
      config: { ...server.services.config, APPLE_CLIENT_ID: 'app.another', APPLE_SERVICES_ID: undefined },
    })!
    await expect(stranger.revoke('r-anything')).rejects.toMatchObject({ code: 'unavailable' })
    expect(server.logged.some((line) => line.includes('refused to revoke') && line.includes('invalid_client'))).toBe(
      true,
    )
    expect(link.encrypted_refresh_token).not.toBeNull()
    expect(await validate(body.token)).toBe(200)
  })

  it('is retried while Apple answers for one of our clients only', async () => {
    const client = createAppleClient({
      ...server.services,
      fetch: async (url, init) => {
        const isWeb = String(init?.body).includes(`client_id=${apple.environment.APPLE_SERVICES_ID}&`)
        return isWeb ? new Response('', { status: 500 }) : server.services.fetch(url, init)
      },
    })!
    await expect(client.revoke('r-of-the-web')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('succeeds when Apple no longer knows the grant', async () => {
    const client = createAppleClient(server.services)!
    await expect(client.revoke('r-long-gone')).resolves.toBeUndefined()
  })
})

describe('a notification from Apple', () => {
  const post = (body: unknown) => api('POST', '/webhooks/apple/', { body: body as object })

  it('ends sessions on revoked consent and allows a later sign-in', async () => {
    const who = person()
    const { body } = await signIn(who)
    const payload = await apple.notify('consent-revoked', who.sub)
    expect((await post({ payload })).status).toBe(204)
    expect(await validate(body.token)).toBe(401)
    const again = await signIn({ sub: who.sub })
    expect(again.body.user.id).toBe(body.user.id)
    // A repeated notification ends nothing.
    expect((await post({ payload })).status).toBe(204)
    expect(await validate(again.body.token)).toBe(200)
    const mail = await waitForMessage(server.services, who.email!, 'apple-access-ended')
    expect(mail.text).toContain('signed you out')
  })

  it('unlinks a deleted Apple account', async () => {
    const who = person()
    const { body } = await signIn(who)
    expect((await post({ payload: await apple.notify('account-delete', who.sub) })).status).toBe(204)
    expect(await validate(body.token)).toBe(401)
    expect(await signIn({ sub: who.sub })).toMatchObject(refused)
  })

  it('accepts events as an object and ignores unknown kinds', async () => {
    const who = person()
    const { body } = await signIn(who)
    const events = { type: 'something-new', sub: who.sub }
    expect((await post({ payload: await apple.notify('', who.sub, { claims: { events } }) })).status).toBe(204)
    expect(await validate(body.token)).toBe(200)
  })

  it.each([
    ['of another audience', { claims: { aud: 'app.another' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['that is weeks old', { claims: { iat: Math.floor(Date.now() / 1000) - 15 * 86_400 } }],
    ['without events', { claims: { events: undefined } }],
  ])('is refused when %s', async (_name, change) => {
    const who = person()
    const { body } = await signIn(who)
    expect((await post({ payload: await apple.notify('consent-revoked', who.sub, change) })).status).toBe(401)
    expect(await validate(body.token)).toBe(200)
  })

  it.each([[{}], [{ payload: 7 }], [[]]])('of the shape %j is a bad request', async (body) => {
    expect((await post(body)).status).toBe(400)
  })
})

describe('forged tokens', () => {
  it('get one answer, and only Apple’s keys are requested', async () => {
    await signIn(person())
    // Enough for an unknown key to be requested again.
    clockMs += 31_000
    asked = []
    const forgeries = await forge()
    expect(forgeries.length).toBeGreaterThanOrEqual(500)
    const before = await server.services.db.one('select count(*) from app_user')
    let first: unknown
    for (const [name, identity_token] of forgeries) {
      const { authorization_code } = await apple.signIn({ sub: 'victim' })
      const reply = await enter({ identity_token, authorization_code })
      expect([reply.status, reply.body?.code], name).toEqual([401, 'invalid_identity_token'])
      first ??= { ...reply.body, request_id: '' }
      expect({ ...reply.body, request_id: '' }, name).toEqual(first)
    }
    expect(await server.services.db.one('select count(*) from app_user')).toEqual(before)
    expect(new Set(asked.map((url) => new URL(url).pathname))).toEqual(new Set(['/auth/keys']))
    expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(new Set([apple.url]))
  })

  it('are refused above the size limit', async () => {
    expect((await enter({ identity_token: 'a'.repeat(40_000), authorization_code: 'x' })).status).toBe(400)
    expect((await enter({ identity_token: 'a'.repeat(60_000), authorization_code: 'x' })).status).toBe(413)
  })
})

describe('Apple’s keys', () => {
  it('are fetched once in 30 seconds, whatever key ids tokens name', async () => {
    clockMs += 60_000
    const attacker = await generateKeyPair('RS256')
    const tokens = await parallel(60, (index) =>
      new SignJWT(goodClaims()).setProtectedHeader({ alg: 'RS256', kid: `random-${index}` }).sign(attacker.privateKey),
    )
    const replies = await Promise.all(
      tokens.map((identity_token) => enter({ identity_token, authorization_code: 'x' })),
    )
    expect(statuses(replies)).toEqual({ 401: 60 })
    expect(asked.filter((url) => url.endsWith('/auth/keys'))).toHaveLength(1)
  })

  it('are fetched again after the clock has gone back', async () => {
    // Far more than the test takes on a busy machine.
    clockMs += 120_000
    await apple.rotateKey()
    expect((await signIn(person())).status).toBe(200)
    clockMs -= 120_000
    await apple.rotateKey()
    expect((await signIn(person())).status).toBe(200)
  })

  it('stay valid during an outage; new ones are 503 until it ends', async () => {
    await signIn(person())
    const known = await apple.signIn(person())
    await apple.rotateKey()
    const fresh = await apple.signIn(person())
    clockMs += 31_000
    apple.state = 'down'
    // The key is known but the code cannot be redeemed: 503, and the token stays usable.
    expect((await enter(known)).status).toBe(503)
    expect((await enter(fresh)).status).toBe(503)
    expect((await enter(fresh)).headers.get('retry-after')).toBeTruthy()
    apple.state = 'up'
    clockMs += 31_000
    expect((await enter(known)).status).toBe(200)
    expect((await enter(fresh)).status).toBe(200)
  })

  it('are forgotten within an hour of being withdrawn', async () => {
    await signIn(person())
    const old = await apple.signIn(person())
    await apple.rotateKey(true)
    clockMs += 31_000
    await signIn(person())
    expect(await enter(old)).toMatchObject(refused)
  })
})

describe('connect-social', () => {
  const connect = (token: string, body: object) =>
    api('POST', '/api/auth/connect-social/', { headers: bearer(token), body })

  it('links Apple to the account and is idempotent', async () => {
    const account = await register(api)
    const who = person()
    expect(
      await connect(account.token, { provider: 'apple', token: (await apple.signIn(who)).identity_token }),
    ).toMatchObject({ status: 200, body: { detail: expect.any(String) } })
    expect((await signIn(who)).body.user.id).toBe(account.id)
    expect(
      (await connect(account.token, { provider: 'apple', token: (await apple.signIn(who)).identity_token })).status,
    ).toBe(200)
    await waitForMessage(server.services, account.email, 'identity-linked')
  })

  const close = (token: string) => api('POST', '/api/v1/user/deactivate/', { headers: bearer(token) })
  const closingMail = (email: string) => waitForMessage(server.services, email, 'account-closed')
  const linkWith = async (account: { token: string }, who: ApplePerson, clientId?: string) => {
    const { identity_token: token, authorization_code } = await apple.signIn(who, { clientId })
    return connect(account.token, { provider: 'apple', token, authorization_code })
  }
  const byHand = /account\.apple\.com.*Sign in with Apple/

  it.each(['the app', 'a web page'])('keeps the grant of %s and revokes it at closing', async (from) => {
    const account = await register(api)
    const clientId = from === 'the app' ? undefined : apple.environment.APPLE_SERVICES_ID
    const before = apple.revoked.length
    expect((await linkWith(account, person(), clientId)).status).toBe(200)
    const { encrypted_refresh_token: kept } = await server.services.db.one(
      'select encrypted_refresh_token from social_link where user_id = $1',
      [account.id],
    )
    expect(kept.toString('latin1')).not.toMatch(/r[0-9a-f]{48}/)
    expect((await close(account.token)).body.message).not.toMatch(byHand)
    await expect.poll(() => apple.revoked.slice(before)).toEqual([expect.stringMatching(/^r[0-9a-f]{48}$/)])
    expect((await closingMail(account.email)).text).not.toMatch(byHand)
  })

  it('stores the grant of a link that had none', async () => {
    const account = await register(api)
    const who = person()
    const { identity_token: token } = await apple.signIn(who)
    expect((await connect(account.token, { provider: 'apple', token })).status).toBe(200)
    expect((await linkWith(account, who)).status).toBe(200)
    expect((await close(account.token)).body.message).not.toMatch(byHand)
  })

  it('says how to remove a grant without its token', async () => {
    const account = await register(api)
    const { identity_token: token } = await apple.signIn(person())
    await connect(account.token, { provider: 'apple', token })
    expect((await close(account.token)).body.message).toMatch(byHand)
    expect((await closingMail(account.email)).text).toMatch(byHand)
  })

  it('refuses a code that is invented, used, or of another person', async () => {
    const account = await register(api)
    const [one, other] = [await apple.signIn(person()), await apple.signIn(person())]
    for (const authorization_code of ['invented', other.authorization_code]) {
      const { identity_token: token } = await apple.signIn(person())
      const reply = await connect(account.token, { provider: 'apple', token, authorization_code })
      expect(reply).toMatchObject(refused)
    }
    expect((await enter(one)).status).toBe(200)
    expect(await server.services.db.any('select 1 from social_link where user_id = $1', [account.id])).toEqual([])
  })

  it('takes the same token again after Apple was down', async () => {
    const account = await register(api)
    const { identity_token: token, authorization_code } = await apple.signIn(person())
    const body = { provider: 'apple', token, authorization_code }
    apple.state = 'broken'
    expect((await connect(account.token, body)).status).toBe(503)
    apple.state = 'up'
    expect((await connect(account.token, body)).status).toBe(200)
  })

  it('refuses a linked identity and an unknown provider', async () => {
    const who = person()
    await signIn(who)
    const account = await register(api)
    expect(
      await connect(account.token, { provider: 'apple', token: (await apple.signIn(who)).identity_token }),
    ).toMatchObject({
      status: 409,
      body: {
        code: 'identity_in_use',
        detail: expect.stringMatching(
          /Apple account is linked to another Hapax account.*email or phone.*Close the other/s,
        ),
      },
    })
    expect((await connect(account.token, { provider: 'google', token: 'x' })).status).toBe(400)
  })

  it('refuses a token of another app and accepts each token once', async () => {
    const account = await register(api)
    const foreign = await apple.signIn(person(), { claims: { aud: 'com.other.app' } })
    expect(await connect(account.token, { provider: 'apple', token: foreign.identity_token })).toMatchObject(refused)
    const signed = await apple.signIn(person())
    expect((await connect(account.token, { provider: 'apple', token: signed.identity_token })).status).toBe(200)
    expect(
      await connect((await register(api)).token, { provider: 'apple', token: signed.identity_token }),
    ).toMatchObject({ status: 401 })
    expect(await enter(signed)).toMatchObject(refused)
  })

  it('reports a platform without credentials', async () => {
    const account = await register(api)
    expect(await connect(account.token, { provider: 'ebay', token: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'platform_not_configured' },
    })
  })

  it('ends a link made before the mailbox was verified', async () => {
    const attacker = await register(api)
    const who = person()
    const before = apple.revoked.length
    await linkWith(attacker, who)
    await api('POST', '/api/auth/email-verification/request/', { headers: bearer(attacker.token) })
    const token = tokenIn(await waitForMessage(server.services, attacker.email, 'email-verification'))
    await api('POST', '/api/auth/email-verification/confirm/', { body: { token } })
    await expect.poll(() => apple.revoked.length).toBe(before + 1)
    expect((await signIn(who)).body.user.id).not.toBe(attacker.id)
  })
})

function goodClaims(): Record<string, unknown> {
  const now = Math.floor((Date.now() + clockMs) / 1000)
  return {
    iss: 'https://appleid.apple.com',
    aud: 'app.hapax.sandbox',
    sub: 'victim',
    iat: now,
    exp: now + 600,
    email: 'victim@example.com',
    email_verified: true,
  }
}

/** Returns more than 300 tokens, each invalid in one way. */
async function forge(): Promise<[string, string][]> {
  const forged: [string, string][] = []
  const now = Math.floor((Date.now() + clockMs) / 1000)
  const claims = goodClaims()
  const b64 = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  const kid = apple.keySet().keys.at(-1)!.kid!
  const good = await apple.sign(claims)
  const [header, payload, signature] = good.split('.') as [string, string, string]

  // Missing and invalid signatures.
  for (const alg of [
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    'HS256',
    'HS384',
    'HS512',
    'RS1',
    'RS384',
    'RS512',
    'PS256',
    'ES256',
    'EdDSA',
    'RSA-OAEP',
  ]) {
    for (const sent of ['', signature, 'AAAA', b64('x'.repeat(256))])
      forged.push([`alg ${alg}`, `${b64({ alg, kid })}.${payload}.${sent}`])
  }
  // HMAC with public values, in every spelling that a library might accept as the secret.
  const jwk = apple.keySet().keys.at(-1)!
  for (const secret of [JSON.stringify(jwk), jwk.n!, Buffer.from(jwk.n!, 'base64url'), jwk.e!, kid, '', 'secret']) {
    for (const alg of ['HS256', 'RS256']) {
      const input = `${b64({ alg, kid, typ: 'JWT' })}.${payload}`
      forged.push([`hmac ${alg}`, `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`])
    }
  }
  // Signed by an attacker, with the key in or behind the header.
  const attacker = await generateKeyPair('RS256', { extractable: true })
  const attackerJwk = await exportJWK(attacker.publicKey)
  const evil = 'http://127.0.0.1:9/keys'
  for (const extra of [
    {},
    { jwk: attackerJwk },
    { jku: evil },
    { x5u: evil },
    { x5c: [b64('cert')] },
    { kid: '../../keys' },
    { kid: evil },
    { kid: 'unknown' },
    { kid: "x' or 1=1" },
    { crit: ['exp'] },
    { b64: false, crit: ['b64'] },
    { x5t: 'x' },
    { typ: 'at+jwt' },
  ]) {
    for (const named of [kid, undefined, 'SANDBOX1', 'SANDBOX999']) {
      const head = { alg: 'RS256', ...(named === undefined ? {} : { kid: named }), ...extra }
      const token = await new SignJWT(claims)
        .setProtectedHeader(head as never)
        .sign(attacker.privateKey, { crit: { b64: true, exp: true } } as never)
        .catch(() => null)
      if (token) forged.push([`stranger ${JSON.stringify(Object.keys(extra))}`, token])
    }
  }
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  forged.push(['es256', await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(ec.privateKey)])
  // Signed by Apple, but for another audience or time.
  const wrong: Record<string, unknown>[] = [
    ...[
      'https://appleid.apple.com/',
      'http://appleid.apple.com',
      'https://appleid.apple.com.evil.example',
      'https://evil.example',
      '',
      'appleid.apple.com',
      apple.url,
      17,
      null,
      ['https://appleid.apple.com'],
    ].map((iss) => ({ iss })),
    ...[
      'com.other.app',
      '',
      'app.hapax.sandbox ',
      'APP.HAPAX.SANDBOX',
      ['app.hapax.sandbox'],
      ['app.hapax.sandbox', 'com.other.app'],
      ['com.other.app', 'app.hapax.sandbox'],
      null,
      17,
      {},
    ].map((aud) => ({ aud })),
    ...[now - 61, now - 3600, 0, -1, '9999999999', null, 'never', Number.MIN_SAFE_INTEGER].map((exp) => ({ exp })),
    ...[now + 180, now + 3600, now + 86_400, '0', null].map((nbf) => ({ nbf })),
    ...[now - 661, now - 3600, now - 86_400, now + 120, now + 86_400, 'now', null, -1].map((iat) => ({ iat })),
    ...['', null, 17, ['victim'], {}, 'x'.repeat(256)].map((sub) => ({ sub })),
    ...['maybe', 1, [], {}, 'TRUE', 'yes'].map((email_verified) => ({ email_verified })),
    ...[17, ['victim@example.com'], {}].map((email) => ({ email })),
  ]
  for (const change of wrong)
    forged.push([`claims ${JSON.stringify(change)}`, await apple.sign({ ...claims, ...change })])
  for (const name of ['iss', 'aud', 'exp', 'iat', 'sub'])
    forged.push([`without ${name}`, await apple.sign({ ...claims, [name]: undefined })])
  // A valid signature over other content, and flipped bits.
  for (const change of [{ sub: 'admin' }, { email: 'other@example.com' }, { exp: now + 9_999_999 }]) {
    forged.push(['swapped payload', `${header}.${b64({ ...claims, ...change })}.${signature}`])
  }
  for (let index = 0; index < 120; index++) {
    const bytes = Buffer.from(signature, 'base64url')
    bytes[(index * 7) % bytes.length]! ^= 1 << (index % 8)
    forged.push(['bit of the signature', `${header}.${payload}.${bytes.toString('base64url')}`])
  }
  // A valid signature over each invalid content, and flipped bits in the signed part.
  for (const change of wrong) {
    forged.push([`swapped ${JSON.stringify(change)}`, `${header}.${b64({ ...claims, ...change })}.${signature}`])
  }
  for (const [part, text] of [
    ['header', header],
    ['payload', payload],
  ] as const) {
    for (let index = 0; index < 70; index++) {
      const bytes = Buffer.from(text, 'base64url')
      bytes[(index * 5) % bytes.length]! ^= 1 << (index % 8)
      const turned = bytes.toString('base64url')
      const token = part === 'header' ? `${turned}.${payload}.${signature}` : `${header}.${turned}.${signature}`
      forged.push([`bit ${index} of the ${part}`, token])
    }
  }
  // Malformed tokens: nested, encrypted, truncated.
  forged.push(
    ['nested', `${b64({ alg: 'RS256', kid, cty: 'JWT' })}.${b64(good)}.${signature}`],
    ['encrypted', `${b64({ alg: 'RSA-OAEP', enc: 'A256GCM', kid })}.${b64('k')}.${b64('i')}.${b64('c')}.${b64('t')}`],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${good}.${signature}`],
    ['empty header', `.${payload}.${signature}`],
    ['empty payload', `${header}..${signature}`],
    ['no json', `${b64('not json')}.${payload}.${signature}`],
    ['array header', `${b64([])}.${payload}.${signature}`],
    ['dots', '..'],
    ['word', 'token'],
  )
  return forged
}
