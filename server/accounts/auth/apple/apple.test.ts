import { createHmac, generateKeyPairSync } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AppleFake, type ApplePerson, startAppleFake } from '#server/sandbox/apple.ts'
import { recordOrder } from '#server/selling/sales/record-order.ts'
import { buildListedItem, buildSeller, byPoll, orderFor } from '#server/selling/sales/testing/sell.ts'
import { type Api, apiOf, bearer, parallel, statuses } from '#server/testing/api.ts'
import { tokenIn, waitForMessage } from '#server/testing/outbox.ts'
import { goodPassword, register, someEmail, somePhone } from '#server/testing/people.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { randomBase62 } from '#shared/identity.ts'
import { createAppleClient } from './client.ts'

let apple: AppleFake
let server: TestServer
let api: Api
/** Moved by tests about keys. */
let clockMs = 0
/** Every address that the server asked. */
let asked: string[] = []
beforeAll(async () => {
  apple = await startAppleFake()
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
/** Shops that are connected, and what is being put up or taken down. */
const stillWorks = (user_id: number) =>
  server.services.db.one(
    `select (select count(*) from seller_account where user_id = $1 and status <> 'revoked') as shops,
       (select count(*) from listing_operation where user_id = $1 and state = 'open') as operations`,
    [user_id],
  )
const listingUrl = 'https://example.com/listing'
const refused = { status: 401, body: { code: 'invalid_identity_token' } }

describe('Sign in with Apple (4.2)', () => {
  it('makes an account at the first sign-in, with its name, and finds it at the next', async () => {
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

  it('keeps what Apple granted sealed', async () => {
    const who = person()
    await signIn(who)
    const { encrypted_refresh_token } = await server.services.db.one(
      'select encrypted_refresh_token from social_link where subject = $1',
      [who.sub],
    )
    expect(encrypted_refresh_token.length).toBeGreaterThan(30)
    expect(encrypted_refresh_token.toString('latin1')).not.toMatch(/r[0-9a-f]{48}/)
  })

  it('says that it is not set up where it is not', async () => {
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

  it('takes each identity token once, also spelled otherwise, and of 32 at once one', async () => {
    const who = person()
    const signed = await apple.signIn(who)
    const replies = await parallel(32, () => enter(signed))
    expect(statuses(replies)).toEqual({ 200: 1, 401: 31 })
    const { authorization_code } = await apple.signIn(who)
    expect(await enter({ ...signed, authorization_code })).toMatchObject(refused)
    // The last character of a base64url text may hold bits that mean nothing.
    const last = signed.identity_token.at(-1)!
    for (const other of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      if (other === last) continue
      const spelled = signed.identity_token.slice(0, -1) + other
      expect((await enter({ identity_token: spelled, authorization_code })).status).toBe(401)
    }
  })

  it('the code must be real, unused, and of the same person', async () => {
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
  ])('with %s in the token, only a signed and verified address counts', async (_name, more, counts) => {
    const who = person(more)
    const victim = await register(api)
    const reply = await signIn(who, { user: { email: victim.email } })
    expect(reply.status).toBe(200)
    expect(reply.body.user.email).toBe(counts ? who.email : null)
    expect((await storedUser(victim.id)).email).toBe(victim.email)
  })

  it('never links to an account that proved the address: 409', async () => {
    const account = await register(api)
    await server.services.db.none('update app_user set email_verified = true where id = $1', [account.id])
    expect(await signIn(person({ email: account.email.toUpperCase() }))).toMatchObject({
      status: 409,
      body: { code: 'email_in_use' },
    })
    expect(await validate(account.token)).toBe(200)
  })

  it('an account that never proved the address loses it, its password, keys, links and tokens', async () => {
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

  it('what nobody can enter any more holds no shop, and orders nothing; the address is told', async () => {
    const { db } = server.services
    const seller = await buildSeller(db, ['ebay', 'etsy'])
    const item = await buildListedItem(db, seller)
    await recordOrder(db, seller.user_id, orderFor(item, 'ebay'), byPoll)
    const { email } = await db.one('select email from app_user where id = $1', [seller.user_id])
    expect((await signIn(person({ email }))).status).toBe(200)
    expect(await stillWorks(seller.user_id)).toEqual({ shops: 0, operations: 0 })
    const told = await waitForMessage(server.services, email, 'account-replaced')
    expect(told.text).toContain('A shop (eBay), A shop (Etsy)')
    expect(told.text).toContain(listingUrl)
  })

  it('an account that a verified phone still opens keeps its shops and goes on', async () => {
    const { db } = server.services
    const seller = await buildSeller(db, ['ebay', 'etsy'])
    const item = await buildListedItem(db, seller)
    await recordOrder(db, seller.user_id, orderFor(item, 'ebay'), byPoll)
    await db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [
      seller.user_id,
      somePhone(),
    ])
    const { email } = await db.one('select email from app_user where id = $1', [seller.user_id])
    expect((await signIn(person({ email }))).status).toBe(200)
    expect(await stillWorks(seller.user_id)).toEqual({ shops: 2, operations: 1 })
  })

  it('an honest seller who followed the mail of their registration keeps the account', async () => {
    const account = await register(api)
    const token = tokenIn(await waitForMessage(server.services, account.email, 'email-verification'))
    expect((await api('POST', '/api/auth/email-verification/confirm/', { body: { token } })).status).toBe(200)
    expect(await signIn(person({ email: account.email }))).toMatchObject({ status: 409 })
  })

  it('parallel first sign-ins of one person make one account, and every token works', async () => {
    const who = person()
    const signed = await parallel(16, () => apple.signIn(who))
    const replies = await Promise.all(signed.map(enter))
    expect(statuses(replies)).toEqual({ 200: 16 })
    expect(new Set(replies.map(({ body }) => body.user.id)).size).toBe(1)
    for (const { body } of replies) expect(await validate(body.token)).toBe(200)
  })

  it('keeps a hostile name as harmless text, and refuses one of 151 characters', async () => {
    const name = { firstName: '<b>Ada</b>\r\nBcc: evil@example.com\u202e', lastName: 'x' }
    const reply = await signIn(person(), { user: { name } })
    const { first_name, last_name } = await storedUser(reply.body.user.id)
    expect(`${first_name} ${last_name}`).toBe('<b>Ada</b> Bcc: evil@example.com x')
    expect((await signIn(person(), { user: { name: { firstName: 'x'.repeat(151) } } })).status).toBe(400)
  })

  it('does not open a closed account, and Apple is told that its grant is over', async () => {
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
  it('signs in with the Services ID and its redirect address', async () => {
    const who = person()
    const signed = await apple.signIn(who, { clientId: apple.environment.APPLE_SERVICES_ID })
    const { body, status } = await enter(signed)
    expect(status).toBe(200)
    // The same person in the app is the same account.
    expect((await signIn(who)).body.user.id).toBe(body.user.id)
  })

  it('cannot lend its code to the app', async () => {
    const who = person()
    const fromWeb = await apple.signIn(who, { clientId: apple.environment.APPLE_SERVICES_ID })
    const fromApp = await apple.signIn(who)
    const mixed = { identity_token: fromApp.identity_token, authorization_code: fromWeb.authorization_code }
    expect(await enter(mixed)).toMatchObject(refused)
  })
})

describe('revoking a grant', () => {
  it('is tried again when Apple does not know our client', async () => {
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

  it('is done when Apple no longer knows the grant', async () => {
    const client = createAppleClient(server.services)!
    await expect(client.revoke('r-long-gone')).resolves.toBeUndefined()
  })
})

describe('a notification of Apple', () => {
  const post = (body: unknown) => api('POST', '/webhooks/apple/', { body: body as object })

  it('signs the account out when its owner revokes consent, and lets the owner come back', async () => {
    const who = person()
    const { body } = await signIn(who)
    const payload = await apple.notify('consent-revoked', who.sub)
    expect((await post({ payload })).status).toBe(204)
    expect(await validate(body.token)).toBe(401)
    const again = await signIn({ sub: who.sub })
    expect(again.body.user.id).toBe(body.user.id)
    // Shown a second time, it no longer ends anything.
    expect((await post({ payload })).status).toBe(204)
    expect(await validate(again.body.token)).toBe(200)
    const mail = await waitForMessage(server.services, who.email!, 'apple-access-ended')
    expect(mail.text).toContain('signed you out')
  })

  it('unlinks an Apple account that was deleted', async () => {
    const who = person()
    const { body } = await signIn(who)
    expect((await post({ payload: await apple.notify('account-delete', who.sub) })).status).toBe(204)
    expect(await validate(body.token)).toBe(401)
    expect(await signIn({ sub: who.sub })).toMatchObject(refused)
  })

  it('takes the events as an object too, and ignores kinds it does not know', async () => {
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
  ])('%s is refused', async (_name, change) => {
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
  it("are refused with one answer, and asking about them goes nowhere but to Apple's keys", async () => {
    await signIn(person())
    // So that an unknown key may be asked about again.
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

  it('refuses a long token, and a body too large to hold one', async () => {
    expect((await enter({ identity_token: 'a'.repeat(40_000), authorization_code: 'x' })).status).toBe(400)
    expect((await enter({ identity_token: 'a'.repeat(60_000), authorization_code: 'x' })).status).toBe(413)
  })
})

describe('the keys', () => {
  it('are asked for at most once in 30 seconds, however many unknown ones tokens name', async () => {
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

  it('known ones keep working while Apple cannot be reached; a token that needs a new one is 503, and good again later', async () => {
    await signIn(person())
    const known = await apple.signIn(person())
    await apple.rotateKey()
    const fresh = await apple.signIn(person())
    clockMs += 31_000
    apple.state = 'down'
    // The key is known, the code cannot be redeemed: 503, and the token is not used up.
    expect((await enter(known)).status).toBe(503)
    expect((await enter(fresh)).status).toBe(503)
    expect((await enter(fresh)).headers.get('retry-after')).toBeTruthy()
    apple.state = 'up'
    clockMs += 31_000
    expect((await enter(known)).status).toBe(200)
    expect((await enter(fresh)).status).toBe(200)
  })

  it('a withdrawn one is forgotten within the hour', async () => {
    await signIn(person())
    const old = await apple.signIn(person())
    await apple.rotateKey(true)
    clockMs += 31_000
    await signIn(person())
    expect(await enter(old)).toMatchObject(refused)
  })
})

describe('connect-social (4.9)', () => {
  const connect = (token: string, body: object) =>
    api('POST', '/api/auth/connect-social/', { headers: bearer(token), body })

  it('links Apple to the account in hand, which it then signs in to; again is no error', async () => {
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

  it('an identity of another account is 409, an unknown provider 400', async () => {
    const who = person()
    await signIn(who)
    const account = await register(api)
    expect(
      await connect(account.token, { provider: 'apple', token: (await apple.signIn(who)).identity_token }),
    ).toMatchObject({ status: 409, body: { code: 'identity_in_use' } })
    expect((await connect(account.token, { provider: 'google', token: 'x' })).status).toBe(400)
  })

  it("a token of Apple's for another app is refused, and each token links once", async () => {
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

  it('a platform without credentials is 409', async () => {
    const account = await register(api)
    expect(await connect(account.token, { provider: 'ebay', token: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'platform_not_configured' },
    })
  })

  it('a link set before the mailbox was proven ends with the proof, and its owner may use the identity elsewhere', async () => {
    const attacker = await register(api)
    const who = person()
    await connect(attacker.token, { provider: 'apple', token: (await apple.signIn(who)).identity_token })
    await api('POST', '/api/auth/email-verification/request/', { headers: bearer(attacker.token) })
    const token = tokenIn(await waitForMessage(server.services, attacker.email, 'email-verification'))
    await api('POST', '/api/auth/email-verification/confirm/', { body: { token } })
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

/** More than 300 tokens that each are wrong in one way. */
async function forge(): Promise<[string, string][]> {
  const forged: [string, string][] = []
  const now = Math.floor((Date.now() + clockMs) / 1000)
  const claims = goodClaims()
  const b64 = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  const kid = apple.keySet().keys.at(-1)!.kid!
  const good = await apple.sign(claims)
  const [header, payload, signature] = good.split('.') as [string, string, string]

  // No signature, and signatures that are none.
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
  // HMAC with what is public, in every spelling a library might take as the secret.
  const jwk = apple.keySet().keys.at(-1)!
  for (const secret of [JSON.stringify(jwk), jwk.n!, Buffer.from(jwk.n!, 'base64url'), jwk.e!, kid, '', 'secret']) {
    for (const alg of ['HS256', 'RS256']) {
      const input = `${b64({ alg, kid, typ: 'JWT' })}.${payload}`
      forged.push([`hmac ${alg}`, `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`])
    }
  }
  // Signed by somebody else, with the key in or behind the header.
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
  // Really signed by Apple, and still not for us or not now.
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
  // A good signature under other content, and bits turned.
  for (const change of [{ sub: 'admin' }, { email: 'other@example.com' }, { exp: now + 9_999_999 }]) {
    forged.push(['swapped payload', `${header}.${b64({ ...claims, ...change })}.${signature}`])
  }
  for (let index = 0; index < 120; index++) {
    const bytes = Buffer.from(signature, 'base64url')
    bytes[(index * 7) % bytes.length]! ^= 1 << (index % 8)
    forged.push(['bit of the signature', `${header}.${payload}.${bytes.toString('base64url')}`])
  }
  // A good signature under the content of each of those wrong ones, and bits turned in what it signs.
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
  // Not three parts at all: nested, encrypted, cut.
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
