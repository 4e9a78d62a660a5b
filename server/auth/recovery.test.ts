import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectShop } from '#server/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/connections/testing/platform.ts'
import { type Api, apiOf, bearer, parallel, statuses } from '#server/testing/api.ts'
import { messagesTo, settleIntents, tokenIn, waitForMessage } from '#server/testing/outbox.ts'
import { goodPassword, register, someEmail, somePhone } from '#server/testing/people.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let ebay: TestPlatform
let server: TestServer
let api: Api
beforeAll(async () => {
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({ platforms: [ebay.adapter], environment: { SANDBOX: 'on' } })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
})

const newPassword = 'quiet harbour 77'
const request = (email: string) => api('POST', '/api/auth/password/reset/request/', { body: { email } })
const check = (token: string) => api('POST', '/api/auth/password/reset/verify/', { body: { token } })
const confirm = (token: string, password = newPassword) =>
  api('POST', '/api/auth/password/reset/confirm/', { body: { token, password, password_confirm: password } })
const logIn = (email: string, password: string) => api('POST', '/api/auth/login/', { body: { email, password } })
const validate = async (token: string) => (await api('GET', '/api/auth/validate/', { headers: bearer(token) })).status

async function resetToken(email: string, count = 1): Promise<string> {
  expect((await request(email)).status).toBe(200)
  return tokenIn(await waitForMessage(server.services, email, 'password-reset', count))
}

async function verificationToken(account: { email: string; token: string }, count = 1): Promise<string> {
  const reply = await api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
  expect(reply.status).toBe(200)
  return tokenIn(await waitForMessage(server.services, account.email, 'email-verification', count))
}

const verify = (token: string) => api('POST', '/api/auth/email-verification/confirm/', { body: { token } })

describe('password reset (4.7)', () => {
  it('sends a link whose token tells a masked address, sets the password once and ends all tokens', async () => {
    const account = await register(api)
    expect((await request(account.email.toUpperCase())).status).toBe(200)
    const token = tokenIn(await waitForMessage(server.services, account.email, 'password-reset'))
    expect(await check(token)).toMatchObject({ status: 200, body: { email_hint: 'a•••@e•••.com' } })
    expect((await check(token)).status).toBe(200)
    expect(await confirm(token)).toMatchObject({ status: 200, body: { detail: expect.any(String) } })
    expect(await validate(account.token)).toBe(401)
    expect((await logIn(account.email, goodPassword)).status).toBe(401)
    expect((await logIn(account.email, newPassword)).status).toBe(200)
    for (const again of [await check(token), await confirm(token)]) {
      expect(again).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    }
  })

  it('T48: answers a known and an unknown address alike, and limits both at the fourth within an hour', async () => {
    const { email } = await register(api)
    const seen = await Promise.all(
      [email, someEmail()].map(async (address) => {
        const replies = []
        for (let round = 0; round < 4; round++) replies.push(await request(address))
        return replies.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }))
      }),
    )
    expect(seen[0]!.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(seen[1]).toEqual(seen[0])
  })

  it('lets exactly 3 of 64 requests at once through', async () => {
    const email = someEmail()
    expect(statuses(await parallel(64, () => request(email)))).toEqual({ 200: 3, 429: 61 })
  })

  it('T49: writes to the stored address only, one recipient', async () => {
    const account = await register(api)
    for (const email of [
      `${account.email},evil@example.com`,
      `${account.email}\r\nBcc: evil@example.com`,
      `"${account.email}" <evil@example.com>`,
    ]) {
      expect((await request(email)).status).toBe(400)
    }
    expect(
      (await api('POST', '/api/auth/password/reset/request/', { body: { email: [account.email, 'evil@example.com'] } }))
        .status,
    ).toBe(400)
    await settleIntents(server.services)
    expect(await messagesTo(server.services, 'evil@example.com')).toEqual([])
  })

  it('T50: a wrong, cut or foreign token is one answer, and guessing does not burn the right one', async () => {
    const account = await register(api)
    const token = await resetToken(account.email)
    const wrong = [`${token.slice(0, -1)}x`, token.slice(0, 20), account.token, '', 'x'.repeat(200)]
    for (const guess of wrong) {
      const reply = await check(guess)
      expect({ ...reply.body, request_id: '' }).toEqual({ ...(await confirm(guess)).body, request_id: '' })
      expect(reply).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    }
    expect((await check(token)).status).toBe(200)
  })

  it('a password that is not good enough leaves the link good', async () => {
    const account = await register(api)
    const token = await resetToken(account.email)
    expect((await confirm(token, 'Password1')).status).toBe(400)
    expect((await confirm(token, 'short1')).status).toBe(400)
    expect((await confirm(token)).status).toBe(200)
  })

  it('T51: of 32 confirmations at once with different passwords one succeeds, and it is that password', async () => {
    const account = await register(api)
    const token = await resetToken(account.email)
    const replies = await parallel(32, (index) => confirm(token, `quiet harbour ${index + 100}`))
    expect(statuses(replies)).toEqual({ 200: 1, 400: 31 })
    const winner = replies.findIndex(({ status }) => status === 200)
    expect((await logIn(account.email, `quiet harbour ${winner + 100}`)).status).toBe(200)
  })

  it('T52: a newer request, a password change and the end of the account each end a link', async () => {
    const account = await register(api)
    const first = await resetToken(account.email)
    const second = await resetToken(account.email, 2)
    expect((await check(first)).status).toBe(400)
    const changed = await api('POST', '/api/auth/password/change/', {
      headers: bearer(account.token),
      body: { current_password: goodPassword, new_password: newPassword, new_password_confirm: newPassword },
    })
    expect((await check(second)).status).toBe(400)
    const third = await resetToken(account.email, 3)
    await api('POST', '/api/v1/user/deactivate/', { headers: bearer(changed.body.token) })
    expect((await confirm(third)).status).toBe(400)
  })

  it('T52: a link older than 30 minutes is dead', async () => {
    const account = await register(api)
    const token = await resetToken(account.email)
    await server.services.db.none(
      "update mailbox_token set expires_at = now() - interval '1 second' where user_id = $1",
      [account.id],
    )
    expect((await confirm(token)).status).toBe(400)
  })

  it('T53: ends tickets and authorizations under way with the tokens', async () => {
    const account = await register(api)
    const { db } = server.services
    await db.none(
      "insert into connect_ticket (user_id, ticket_hash, platform, expires_at) values ($1, 'a', 'ebay', now() + interval '1 minute')",
      [account.id],
    )
    await db.none(
      "insert into oauth_state (user_id, state_hash, platform, browser_hash, expires_at) values ($1, 'b', 'ebay', 'c', now() + interval '1 minute')",
      [account.id],
    )
    await confirm(await resetToken(account.email))
    expect(
      await db.one(
        'select (select count(*) from connect_ticket where user_id = $1) + (select count(*) from oauth_state where user_id = $1) as left',
        [account.id],
      ),
    ).toEqual({ left: 0 })
  })
})

describe('e-mail verification (4.11)', () => {
  it('verifies with the token of the mail, once', async () => {
    const account = await register(api)
    const token = await verificationToken(account)
    expect(await verify(token)).toMatchObject({ status: 200, body: { detail: expect.any(String) } })
    expect(await verify(token)).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    expect((await logIn(account.email, goodPassword)).status).toBe(200)
    expect(await server.services.db.one('select email_verified from app_user where id = $1', [account.id])).toEqual({
      email_verified: true,
    })
  })

  it('T62: sends at most 3 an hour under any parallelism, and none once verified', async () => {
    const account = await register(api)
    const ask = () => api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
    expect(statuses(await parallel(32, ask))).toEqual({ 200: 3, 429: 29 })
    const other = await register(api)
    await verify(await verificationToken(other))
    const token = (await logIn(other.email, goodPassword)).body.token
    for (let round = 0; round < 5; round++) {
      expect((await api('POST', '/api/auth/email-verification/request/', { headers: bearer(token) })).status).toBe(200)
    }
    expect(
      (await messagesTo(server.services, other.email)).filter(({ template }) => template === 'email-verification'),
    ).toHaveLength(2)
  })

  it('sends one at registration, which does not count among those that are asked for', async () => {
    const account = await register(api)
    const sent = await messagesTo(server.services, account.email)
    expect(sent.map(({ template }) => template)).toEqual(['email-verification'])
    const ask = () => api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
    expect(statuses(await parallel(4, ask))).toEqual({ 200: 3, 429: 1 })
    expect((await verify(tokenIn(sent[0]!))).status).toBe(200)
  })

  it('T63: a token is bound to its account and address, and is no reset token', async () => {
    const account = await register(api)
    const token = await verificationToken(account)
    expect((await confirm(token)).status).toBe(400)
    await server.services.db.none('update app_user set email = $2 where id = $1', [account.id, someEmail()])
    expect((await verify(token)).status).toBe(400)
  })

  it('of 32 confirmations at once one succeeds', async () => {
    const account = await register(api)
    const token = await verificationToken(account)
    expect(statuses(await parallel(32, () => verify(token)))).toEqual({ 200: 1, 400: 31 })
  })
})

describe('T54: the first proof of the mailbox', () => {
  /** Somebody registers the victim's address and sets up what would let them stay. */
  async function preHijacked() {
    const attacker = await register(api)
    const key = await api('POST', '/api/v1/api-keys/', { headers: bearer(attacker.token), body: { name: 'back door' } })
    await server.services.db.none("insert into social_link (user_id, provider, subject) values ($1, 'apple', $2)", [
      attacker.id,
      `sub-${attacker.id}`,
    ])
    await server.services.db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [
      attacker.id,
      `+1415${7_000_000 + attacker.id}`,
    ])
    const headers = bearer(attacker.token)
    await api('POST', '/api/v1/webhooks/', { headers, body: { url: 'https://93.184.216.34/of-the-attacker' } })
    ebay.seller = { id: `shop-${attacker.id}`, name: `shop_${attacker.id}` }
    await connectShop(
      server.url,
      { ...attacker, user_id: attacker.id, bearer: headers, key: { 'x-api-key': '' } },
      'ebay',
    )
    return { ...attacker, key: key.body.key as string }
  }
  /** What an account has that works towards the outside: where its events go, and its shops. */
  const outside = (user_id: number) =>
    server.services.db.one(
      `select (select count(*) from webhook_endpoint where user_id = $1) as webhooks,
         (select array_agg(status) from seller_account where user_id = $1) as shops,
         (select count(*) from seller_account where user_id = $1 and sealed_access_token is not null) as tokens`,
      [user_id],
    )
  async function isLockedOut(attacker: { id: number; token: string; key: string }) {
    expect(await validate(attacker.token)).toBe(401)
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': attacker.key } })).status).toBe(401)
    expect(await server.services.db.any('select 1 from social_link where user_id = $1', [attacker.id])).toEqual([])
  }

  it('by a reset removes keys, links, tokens, the old password and the phone number', async () => {
    const attacker = await preHijacked()
    await confirm(await resetToken(attacker.email))
    await isLockedOut(attacker)
    expect((await logIn(attacker.email, goodPassword)).status).toBe(401)
    expect(
      await server.services.db.one('select phone_number, phone_verified, email_verified from app_user where id = $1', [
        attacker.id,
      ]),
    ).toEqual({
      phone_number: null,
      phone_verified: false,
      email_verified: true,
    })
    const notice = await waitForMessage(server.services, attacker.email, 'ownership-proven')
    expect(notice.text).toContain('1 API key, 1 linked account')
  })

  it('by a reset also ends webhook addresses and connections of shops, tells of it, and the shop is free', async () => {
    const attacker = await preHijacked()
    expect(await outside(attacker.id)).toEqual({ webhooks: 1, shops: ['connected'], tokens: 1 })
    await confirm(await resetToken(attacker.email))
    expect(await outside(attacker.id)).toEqual({ webhooks: 0, shops: ['revoked'], tokens: 0 })
    const notice = await waitForMessage(server.services, attacker.email, 'ownership-proven')
    expect(notice.text).toContain('1 webhook address')
    expect(notice.text).toContain(`the connection of the eBay shop shop_${attacker.id}`)
    const said = await server.services.db.any('select data from event where user_id = $1 and type = $2', [
      attacker.id,
      'connection.disconnected',
    ])
    expect(said).toHaveLength(1)
    const owner = await register(api)
    const holder = { ...owner, user_id: owner.id, bearer: bearer(owner.token), key: { 'x-api-key': '' } }
    expect((await connectShop(server.url, holder, 'ebay')).status).toBe(200)
  })

  it('by a verification ends webhook addresses; the shops stay, and the mail names them', async () => {
    const attacker = await preHijacked()
    await verify(await verificationToken(attacker))
    expect(await outside(attacker.id)).toEqual({ webhooks: 0, shops: ['connected'], tokens: 1 })
    const notice = await waitForMessage(server.services, attacker.email, 'ownership-proven')
    expect(notice.text).toContain('1 webhook address')
    expect(notice.text).toContain(`These shops stay connected: shop_${attacker.id} (eBay).`)
  })

  it('by a verification removes keys, links and tokens, also links sent before', async () => {
    const attacker = await preHijacked()
    const older = await verificationToken(attacker)
    await verify(await verificationToken(attacker, 2))
    await isLockedOut(attacker)
    expect((await verify(older)).status).toBe(400)
  })

  it('a later reset leaves keys and links alone', async () => {
    const account = await register(api)
    await verify(await verificationToken(account))
    const token = (await logIn(account.email, goodPassword)).body.token
    const key = (await api('POST', '/api/v1/api-keys/', { headers: bearer(token), body: { name: 'mine' } })).body.key
    await confirm(await resetToken(account.email))
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': key } })).status).not.toBe(401)
    expect(await validate(token)).toBe(401)
  })
})

describe('T54: a reset by whoever had somebody else in their account', () => {
  /** An account that its owner confirmed, and in which somebody else then set up what would let them stay. */
  async function intruded() {
    const account = await register(api)
    await verify(await verificationToken(account))
    const token = (await logIn(account.email, goodPassword)).body.token as string
    const key = await api('POST', '/api/v1/api-keys/', { headers: bearer(token), body: { name: 'back door' } })
    await api('POST', '/api/v1/webhooks/', { headers: bearer(token), body: { url: 'https://93.184.216.34/hook' } })
    const { db } = server.services
    await db.none("insert into social_link (user_id, provider, subject) values ($1, 'apple', $2)", [
      account.id,
      `sub-${account.id}`,
    ])
    await db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [
      account.id,
      somePhone(),
    ])
    ebay.seller = { id: `shop-${account.id}`, name: `shop_${account.id}` }
    const holder = { ...account, user_id: account.id, bearer: bearer(token), key: { 'x-api-key': '' } }
    await connectShop(server.url, holder, 'ebay')
    return { ...account, token, key: key.body.key as string }
  }
  const confirmWith = (token: string, more: object) =>
    api('POST', '/api/auth/password/reset/confirm/', {
      body: { token, password: newPassword, password_confirm: newPassword, ...more },
    })
  const setUp = (user_id: number) =>
    server.services.db.one(
      `select (select count(*) from api_key where user_id = $1) as keys,
         (select count(*) from social_link where user_id = $1) as links,
         (select count(*) from webhook_endpoint where user_id = $1) as webhooks,
         (select count(*) from seller_account where user_id = $1 and status = 'connected') as shops,
         (select count(*) from app_user where id = $1 and (phone_number is not null or phone_verified)) as phones`,
      [user_id],
    )

  it('with end_everything ends keys, links, webhook addresses and the phone; the shops stay and are named', async () => {
    const account = await intruded()
    expect((await confirmWith(await resetToken(account.email), { end_everything: true })).status).toBe(200)
    expect(await setUp(account.id)).toEqual({ keys: 0, links: 0, webhooks: 0, shops: 1, phones: 0 })
    expect(await validate(account.token)).toBe(401)
    const told = await waitForMessage(server.services, account.email, 'everything-ended')
    expect(told.text).toContain('1 API key, 1 linked account, 1 webhook address, the phone number')
    expect(told.text).toContain(`These shops stay connected: shop_${account.id} (eBay).`)
    expect((await logIn(account.email, newPassword)).status).toBe(200)
  })

  it.each([{}, { end_everything: false }])('without it (%j) ends the sessions alone', async (more) => {
    const account = await intruded()
    expect((await confirmWith(await resetToken(account.email), more)).status).toBe(200)
    expect(await setUp(account.id)).toEqual({ keys: 1, links: 1, webhooks: 1, shops: 1, phones: 1 })
    expect(await validate(account.token)).toBe(401)
  })

  it('is offered by the mails that tell of what somebody else may have done', async () => {
    const account = await register(api)
    expect((await waitForMessage(server.services, account.email, 'email-verification')).text).toContain('new password')
    await verify(await verificationToken(account, 2))
    await confirm(await resetToken(account.email))
    for (const template of ['password-reset', 'password-changed', 'ownership-proven']) {
      const told = await waitForMessage(server.services, account.email, template)
      expect(told.text, template).toContain('“Somebody else was in my account”')
    }
  })
})

describe('password change (4.8)', () => {
  const change = (token: string, current_password: string, new_password = newPassword, confirmed = new_password) =>
    api('POST', '/api/auth/password/change/', {
      headers: bearer(token),
      body: { current_password, new_password, new_password_confirm: confirmed },
    })

  it('T57: ends every token and answers with one that works', async () => {
    const account = await register(api)
    const other = (await logIn(account.email, goodPassword)).body.token
    const { status, body } = await change(account.token, goodPassword)
    expect(status).toBe(200)
    expect(await validate(account.token)).toBe(401)
    expect(await validate(other)).toBe(401)
    expect(await validate(body.token)).toBe(200)
    expect((await logIn(account.email, newPassword)).status).toBe(200)
    await waitForMessage(server.services, account.email, 'password-changed')
  })

  it('refuses a wrong current password naming the field, and a bad new one', async () => {
    const account = await register(api)
    expect(await change(account.token, 'not this 1')).toMatchObject({
      status: 400,
      body: { code: 'wrong_password', errors: [{ field: 'current_password' }] },
    })
    expect(await change(account.token, goodPassword, newPassword, 'other 12345')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'new_password_confirm' }] },
    })
    expect((await change(account.token, goodPassword, 'Password1')).body.errors[0].field).toBe('new_password')
  })

  it('T56: with a stolen token, exactly 5 of 64 guesses at once are tried', async () => {
    const account = await register(api)
    const replies = await parallel(64, (index) => change(account.token, `guess number ${index}`))
    expect(statuses(replies)).toEqual({ 400: 5, 429: 59 })
    expect((await change(account.token, goodPassword)).status).toBe(429)
  })
})

describe('sign-in limits (d4)', () => {
  it('of 64 wrong passwords at once exactly 5 are tried; then even the right one waits', async () => {
    const account = await register(api)
    expect(statuses(await parallel(64, () => logIn(account.email, 'wrong 12345')))).toEqual({ 401: 5, 429: 59 })
    const waiting = await logIn(account.email, goodPassword)
    expect(waiting.status).toBe(429)
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(50)
  })

  it('T47: an unknown address is limited just the same', async () => {
    const email = someEmail()
    const seen = []
    for (let round = 0; round < 7; round++) seen.push((await logIn(email, 'wrong 12345')).status)
    expect(seen).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  it('right passwords are never counted, however many at once', async () => {
    const account = await register(api)
    expect(statuses(await parallel(40, () => logIn(account.email, goodPassword)))).toEqual({ 200: 40 })
  })

  it('the wait doubles with each further failure, and a success or a reset ends it', async () => {
    const account = await register(api)
    const { db } = server.services
    const expire = () => db.none('update failed_attempt set blocked_until = now() where blocked_until is not null')
    for (let round = 0; round < 5; round++) await logIn(account.email, 'wrong 12345')
    const waits = []
    for (let round = 0; round < 3; round++) {
      waits.push(Number((await logIn(account.email, 'wrong 12345')).headers.get('retry-after')))
      await expire()
      await logIn(account.email, 'wrong 12345')
    }
    expect(waits.map((wait) => Math.round(wait / 60))).toEqual([1, 2, 4])
    await confirm(await resetToken(account.email))
    expect((await logIn(account.email, newPassword)).status).toBe(200)
  })

  it('after 100 failures in a row, from anywhere, only a reset link helps', async () => {
    const account = await register(api)
    const { db } = server.services
    await logIn(account.email, 'wrong 12345')
    await db.none("update failed_attempt set count = 99 where kind = 'login-account' and count = 1")
    await logIn(account.email, 'wrong 12345')
    await db.none("delete from failed_attempt where kind = 'login'")
    expect((await logIn(account.email, goodPassword)).status).toBe(429)
    await confirm(await resetToken(account.email))
    expect((await logIn(account.email, newPassword)).status).toBe(200)
  })
})

describe('deactivation (4.12)', () => {
  it('ends tokens, keys and links in one step, and keeps the address reserved', async () => {
    const account = await register(api)
    const key = (await api('POST', '/api/v1/api-keys/', { headers: bearer(account.token), body: { name: 'x' } })).body
      .key
    const reset = await resetToken(account.email)
    const verification = await verificationToken(account)
    const close = () => api('POST', '/api/v1/user/deactivate/', { headers: bearer(account.token) })
    expect(await close()).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    // T64, T65: no way back.
    expect((await close()).status).toBe(401)
    expect(await validate(account.token)).toBe(401)
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': key } })).status).toBe(401)
    expect((await logIn(account.email, goodPassword)).status).toBe(401)
    expect((await confirm(reset)).status).toBe(400)
    expect((await verify(verification)).status).toBe(400)
    expect((await request(account.email)).status).toBe(200)
    await settleIntents(server.services)
    expect(
      (await messagesTo(server.services, account.email)).filter(({ template }) => template === 'password-reset'),
    ).toHaveLength(1)
    const again = { email: account.email, password: goodPassword, password_confirm: goodPassword }
    expect((await api('POST', '/api/auth/register/email/', { body: again })).status).toBe(409)
  })

  it('T64: takes no body, no API key and closes no other account', async () => {
    const [account, other] = [await register(api), await register(api)]
    const key = (await api('POST', '/api/v1/api-keys/', { headers: bearer(account.token), body: { name: 'x' } })).body
      .key
    expect(
      (await api('POST', '/api/v1/user/deactivate/', { headers: bearer(account.token), body: { user_id: other.id } }))
        .status,
    ).toBe(400)
    expect((await api('POST', '/api/v1/user/deactivate/', { headers: { 'x-api-key': key } })).status).toBe(403)
    expect(await validate(account.token)).toBe(200)
    expect(await validate(other.token)).toBe(200)
  })

  it('T66: a sign-in, a new key or a password change beside the deactivation never leaves an access behind', async () => {
    for (let round = 0; round < 20; round++) {
      const account = await register(api)
      await Promise.all([
        api('POST', '/api/v1/user/deactivate/', { headers: bearer(account.token) }),
        logIn(account.email, goodPassword),
        api('POST', '/api/v1/api-keys/', { headers: bearer(account.token), body: { name: 'late' } }),
        api('POST', '/api/auth/password/change/', {
          headers: bearer(account.token),
          body: { current_password: goodPassword, new_password: newPassword, new_password_confirm: newPassword },
        }),
      ])
      const left = await server.services.db.one(
        `select state, (select count(*) from bearer_token where user_id = id) as tokens,
           (select count(*) from api_key where user_id = app_user.id) as keys
         from app_user where id = $1`,
        [account.id],
      )
      if (left.state === 'deactivated') expect(left).toEqual({ state: 'deactivated', tokens: 0, keys: 0 })
    }
  })
})
