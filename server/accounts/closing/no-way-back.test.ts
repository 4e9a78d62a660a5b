import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { codeIn, messagesTo, settleDeferredMessages, tokenIn, untilSent, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createBrowser } from '#server/integrations/connections/testing/browser.ts'
import { connectShop, signedInBrowser, startConnecting } from '#server/integrations/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'

/** Nothing held before an account was closed gives access to it again. */
let apple: AppleSandbox
let ebay: TestPlatform
let server: TestServer
let api: Api
beforeAll(async () => {
  apple = await startAppleSandbox()
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({ platforms: [ebay.adapter], environment: { SANDBOX: 'on', ...apple.environment } })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
  await apple?.close()
})

describe('a closed account', () => {
  it('refuses every credential, link, shop and job', async () => {
    const { services } = server
    const account = await register(api)
    const phone = somePhone()
    await services.db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [
      account.id,
      phone,
    ])
    const who = { sub: `000.${account.id}.apple` }
    await api('POST', '/api/auth/connect-social/', {
      headers: bearer(account.token),
      body: { provider: 'apple', token: (await apple.signIn(who)).identity_token },
    })
    const key = (await api('POST', '/api/v1/api-keys/', { headers: bearer(account.token), body: { name: 'x' } })).body
    await api('POST', '/api/auth/password/reset/request/', { body: { email: account.email } })
    const reset = tokenIn(await waitForMessage(services, account.email, 'password-reset'))
    await api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
    const verification = tokenIn(await waitForMessage(services, account.email, 'email-verification'))
    const begun = await api('POST', '/api/auth/login/phone/begin/', { body: { phone_number: phone } })
    const code = codeIn(await waitForMessage(services, phone, 'signin-code'))
    const holder = {
      user_id: account.id,
      email: account.email,
      bearer: bearer(account.token),
      key: { 'x-api-key': '' },
    }
    await connectShop(server.url, holder, 'ebay')
    const [shop] = (await api('GET', '/api/v1/seller-accounts/', { headers: bearer(account.token) })).body
    const ticketUrl = await startConnecting(server.url, holder, 'ebay')
    const browser = signedInBrowser(server.url, holder)
    const login = await browser.get(await startConnecting(server.url, holder, 'ebay'))
    const callback = (await browser.get(login.location!)).location!
    await services.jobs.send(
      services.db,
      'deliver',
      { id: 'never' },
      { group: String(account.id), startAfterSeconds: 3600 },
    )

    await untilSent(services)
    expect((await api('POST', '/api/v1/user/deactivate/', { headers: bearer(account.token) })).status).toBe(200)

    const ways: [string, () => Promise<number>, number[]][] = [
      [
        'the session',
        async () => (await api('GET', '/api/auth/validate/', { headers: bearer(account.token) })).status,
        [401],
      ],
      [
        'the API key',
        async () => (await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': key.key } })).status,
        [401],
      ],
      [
        'rotating the key',
        async () =>
          (await api('POST', `/api/v1/api-keys/${key.id}/rotate/`, { headers: bearer(account.token) })).status,
        [401],
      ],
      [
        'the password',
        async () =>
          (await api('POST', '/api/auth/login/', { body: { email: account.email, password: goodPassword } })).status,
        [401],
      ],
      [
        'a phone code',
        async () =>
          (
            await api('POST', '/api/auth/login/phone/verify/', {
              body: { signin_token: begun.body.signin_token, code },
            })
          ).status,
        [400],
      ],
      ['Apple', async () => (await api('POST', '/api/auth/apple/', { body: await apple.signIn(who) })).status, [401]],
      [
        'Apple with the address',
        async () =>
          (
            await api('POST', '/api/auth/apple/', {
              body: await apple.signIn({ sub: 'other', email: account.email, email_verified: true }),
            })
          ).status,
        [409],
      ],
      [
        'a reset link',
        async () =>
          (
            await api('POST', '/api/auth/password/reset/confirm/', {
              body: { token: reset, password: 'quiet harbour 77', password_confirm: 'quiet harbour 77' },
            })
          ).status,
        [400],
      ],
      [
        'a verification link',
        async () =>
          (await api('POST', '/api/auth/email-verification/confirm/', { body: { token: verification } })).status,
        [400],
      ],
      [
        'registering the address',
        async () =>
          (
            await api('POST', '/api/auth/register/email/', {
              body: { email: account.email, password: goodPassword, password_confirm: goodPassword },
            })
          ).status,
        [409],
      ],
      ['a connect ticket', async () => (await createBrowser().get(ticketUrl)).status, [400]],
      ['an authorization under way', async () => (await browser.get(callback)).status, [400]],
    ]
    for (const [name, way, refused] of ways) expect(refused, name).toContain(await way())

    // The closed account gets no new message.
    await services.db.none('delete from recent_event')
    expect((await api('POST', '/api/auth/password/reset/request/', { body: { email: account.email } })).status).toBe(
      200,
    )
    expect((await api('POST', '/api/auth/login/phone/begin/', { body: { phone_number: phone } })).status).toBe(200)
    expect((await api('POST', '/api/auth/email/recover/', { body: { phone_number: phone } })).status).toBe(200)
    await settleDeferredMessages(services)
    const texts = await messagesTo(services, phone)
    expect(texts.filter(({ template }) => template !== 'signin-code')).toEqual([])
    expect(texts).toHaveLength(1)
    expect(
      (await messagesTo(services, account.email)).filter(({ template }) => template === 'password-reset'),
    ).toHaveLength(1)

    // Its shop's tokens and queued work are gone, and a running job gets no access.
    const stored = await services.db.one(
      'select status, encrypted_access_token, encrypted_refresh_token from seller_account where uid = $1',
      [shop.uid],
    )
    expect(stored).toEqual({ status: 'revoked', encrypted_access_token: null, encrypted_refresh_token: null })
    expect(
      await services.db.any("select 1 from jobs.job where group_id = $1 and state in ('created', 'retry', 'active')", [
        String(account.id),
      ]),
    ).toEqual([])
    const outside = ebay.counts.identify + ebay.counts.refresh + ebay.counts.exchange
    await expect(
      withShopAccess(services, { user_id: account.id, seller_account_uid: shop.uid }, async () => 'reached'),
    ).rejects.toThrow()
    expect(ebay.counts.identify + ebay.counts.refresh + ebay.counts.exchange).toBe(outside)
    expect(
      await services.db.one('select state, email, phone_number from app_user where id = $1', [account.id]),
    ).toEqual({
      state: 'deactivated',
      email: account.email,
      phone_number: phone,
    })
  })

  it('closing one account leaves every other alone', async () => {
    const [one, other] = [await buildAccount(server.services.db), await buildAccount(server.services.db)]
    await api('POST', '/api/v1/user/deactivate/', { headers: one.bearer })
    expect((await api('GET', '/api/auth/validate/', { headers: other.bearer })).status).toBe(200)
    expect((await api('GET', '/api/v1/platforms/', { headers: other.key })).status).not.toBe(401)
  })
})
