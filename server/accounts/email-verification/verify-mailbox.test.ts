import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { mailboxSteps, newPassword } from '#server/accounts/sign-in/testing/mailbox-steps.ts'
import { connectShop } from '#server/integrations/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'

let ebay: TestPlatform
let server: TestServer
beforeAll(async () => {
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({ platforms: [ebay.adapter], environment: { SANDBOX: 'on' } })
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
})
const { api, confirm, logIn, validate, verify, resetToken, verificationToken } = mailboxSteps(() => server)

describe('the first verification of the mailbox', () => {
  /** Registers the victim's address as an attacker and sets up ways to stay. */
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
  /** Returns an account's webhooks and shops. */
  const outside = (user_id: number) =>
    server.services.db.one(
      `select (select count(*) from webhook_endpoint where user_id = $1) as webhooks,
         (select array_agg(status) from seller_account where user_id = $1) as shops,
         (select count(*) from seller_account where user_id = $1 and encrypted_access_token is not null) as tokens`,
      [user_id],
    )
  async function isLockedOut(attacker: { id: number; token: string; key: string }) {
    expect(await validate(attacker.token)).toBe(401)
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': attacker.key } })).status).toBe(401)
    expect(await server.services.db.any('select 1 from social_link where user_id = $1', [attacker.id])).toEqual([])
  }

  it('by a reset removes every credential and the phone number', async () => {
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

  it('by a reset ends webhooks and shops, and lists them in a mail', async () => {
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

  it('by a verification ends webhooks and names remaining shops', async () => {
    const attacker = await preHijacked()
    await verify(await verificationToken(attacker))
    expect(await outside(attacker.id)).toEqual({ webhooks: 0, shops: ['connected'], tokens: 1 })
    const notice = await waitForMessage(server.services, attacker.email, 'ownership-proven')
    expect(notice.text).toContain('1 webhook address')
    expect(notice.text).toContain(`These shops stay connected: shop_${attacker.id} (eBay).`)
  })

  it('by a verification removes keys, links and tokens', async () => {
    const attacker = await preHijacked()
    const older = await verificationToken(attacker)
    await verify(await verificationToken(attacker, 2))
    await isLockedOut(attacker)
    expect((await verify(older)).status).toBe(400)
  })

  it('keeps keys at a later reset if the password was given', async () => {
    const account = await register(api)
    await verify(await verificationToken(account), goodPassword)
    const token = (await logIn(account.email, goodPassword)).body.token
    const key = (await api('POST', '/api/v1/api-keys/', { headers: bearer(token), body: { name: 'mine' } })).body.key
    await confirm(await resetToken(account.email))
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': key } })).status).not.toBe(401)
    expect(await validate(token)).toBe(401)
  })
})

/** Creates a verified account in which a stranger then set up ways to stay. `password`: given with the confirmation. */
async function intruded(password?: string) {
  const account = await register(api)
  await verify(await verificationToken(account), password)
  const token = (await logIn(account.email, goodPassword)).body.token as string
  const key = await api('POST', '/api/v1/api-keys/', { headers: bearer(token), body: { name: 'back door' } })
  await api('POST', '/api/v1/webhooks/', { headers: bearer(token), body: { url: 'https://93.184.216.34/hook' } })
  const { db } = server.services
  await db.none("insert into social_link (user_id, provider, subject) values ($1, 'apple', $2)", [
    account.id,
    `sub-${account.id}`,
  ])
  await db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [account.id, somePhone()])
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

describe('the first reset after a confirmation without password', () => {
  it('ends what a stranger with the old password set up', async () => {
    const account = await intruded()
    await confirm(await resetToken(account.email))
    expect(await setUp(account.id)).toEqual({ keys: 0, links: 0, webhooks: 0, shops: 0, phones: 0 })
    expect(await validate(account.token)).toBe(401)
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': account.key } })).status).toBe(401)
    expect((await logIn(account.email, goodPassword)).status).toBe(401)
    const mail = await waitForMessage(server.services, account.email, 'everything-ended')
    expect(mail.text).toContain('1 API key, 1 linked account, 1 webhook address, the phone number')
    expect(mail.text).toContain(`the connection of the eBay shop shop_${account.id}`)
  })

  it('ends it even after the stranger changed the password', async () => {
    const account = await intruded()
    const body = {
      current_password: goodPassword,
      new_password: 'stranger 9000',
      new_password_confirm: 'stranger 9000',
    }
    expect((await api('POST', '/api/auth/password/change/', { headers: bearer(account.token), body })).status).toBe(200)
    await confirm(await resetToken(account.email))
    expect(await setUp(account.id)).toEqual({ keys: 0, links: 0, webhooks: 0, shops: 0, phones: 0 })
  })

  it('keeps it when the owner says it is theirs', async () => {
    const account = await intruded()
    await confirmWith(await resetToken(account.email), { keep_set_up: true })
    expect(await setUp(account.id)).toEqual({ keys: 1, links: 1, webhooks: 1, shops: 1, phones: 1 })
    expect(await validate(account.token)).toBe(401)
  })

  it('happens only once', async () => {
    const account = await intruded()
    await confirm(await resetToken(account.email))
    const { token } = (await logIn(account.email, newPassword)).body
    await api('POST', '/api/v1/api-keys/', { headers: bearer(token), body: { name: 'mine' } })
    await confirm(await resetToken(account.email, 2), 'second harbour 88')
    expect(await setUp(account.id)).toMatchObject({ keys: 1 })
  })
})

describe('a confirmation with the password', () => {
  it('keeps the seller signed in, with keys and webhook addresses', async () => {
    const account = await register(api)
    const headers = bearer(account.token)
    const { key } = (await api('POST', '/api/v1/api-keys/', { headers, body: { name: 'browser' } })).body
    await api('POST', '/api/v1/webhooks/', { headers, body: { url: 'https://93.184.216.34/mine' } })
    expect((await verify(await verificationToken(account), goodPassword)).status).toBe(200)
    expect(await validate(account.token)).toBe(200)
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': key } })).status).toBe(200)
    expect(await setUp(account.id)).toMatchObject({ keys: 1, webhooks: 1 })
    const mail = await waitForMessage(server.services, account.email, 'ownership-proven')
    expect(mail.text).toContain('Your sessions and API keys stay')
    expect(mail.text).toContain('/app/#account/security')
  })

  it('refuses a wrong one and keeps the link valid', async () => {
    const account = await register(api)
    const token = await verificationToken(account)
    const refused = await verify(token, 'not the password 1')
    expect(refused).toMatchObject({ status: 400, body: { code: 'wrong_password', errors: [{ field: 'password' }] } })
    expect(await validate(account.token)).toBe(200)
    expect((await verify(token, goodPassword)).status).toBe(200)
  })

  it('allows five wrong ones in 15 minutes', async () => {
    const account = await register(api)
    const token = await verificationToken(account)
    const replies = await parallel(8, () => verify(token, 'not the password 1'))
    expect(statuses(replies)).toEqual({ 400: 5, 429: 3 })
  })
})

describe('a reset after somebody else was in the account', () => {
  it('with end_everything revokes all access and names the shops', async () => {
    const account = await intruded(goodPassword)
    expect((await confirmWith(await resetToken(account.email), { end_everything: true })).status).toBe(200)
    expect(await setUp(account.id)).toEqual({ keys: 0, links: 0, webhooks: 0, shops: 1, phones: 0 })
    expect(await validate(account.token)).toBe(401)
    const mail = await waitForMessage(server.services, account.email, 'everything-ended')
    expect(mail.text).toContain('1 API key, 1 linked account, 1 webhook address, the phone number')
    expect(mail.text).toContain(`These shops stay connected: shop_${account.id} (eBay).`)
    expect((await logIn(account.email, newPassword)).status).toBe(200)
  })

  it.each([{}, { end_everything: false }])('without it (%j) ends only the sessions', async (more) => {
    const account = await intruded(goodPassword)
    expect((await confirmWith(await resetToken(account.email), more)).status).toBe(200)
    expect(await setUp(account.id)).toEqual({ keys: 1, links: 1, webhooks: 1, shops: 1, phones: 1 })
    expect(await validate(account.token)).toBe(401)
  })

  it('is offered by the mails that report an intrusion', async () => {
    const account = await register(api)
    expect((await waitForMessage(server.services, account.email, 'email-verification')).text).toContain('new password')
    await verify(await verificationToken(account, 2), goodPassword)
    await confirm(await resetToken(account.email))
    for (const template of ['password-reset', 'password-changed', 'ownership-proven']) {
      const mail = await waitForMessage(server.services, account.email, template)
      expect(mail.text, template).toContain('“Somebody else was in my account”')
    }
  })
})
