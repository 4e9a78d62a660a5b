import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { waitForMessage } from '#e2e/harness/outbox.ts'
import { register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'

/** Links eBay and Etsy accounts, which the platform identifies by an access token. */
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

const connect = (session: string, token: string) =>
  api('POST', '/api/auth/connect-social/', { headers: bearer(session), body: { provider: 'ebay', token } })

/** Returns an access token as the platform's own sign-in issues it. */
async function platformToken(seller: { id: string; name: string }): Promise<string> {
  ebay.seller = seller
  const url = new URL(
    ebay.adapter.oauth.authorizeUrl({
      state: 's',
      redirectUri: `${server.url}/accounts/ebay/login/callback/`,
      codeChallenge: null,
    }),
  )
  const response = await fetch(url, { redirect: 'manual' })
  const code = new URL(response.headers.get('location')!).searchParams.get('code')!
  const grant = await ebay.adapter.oauth.exchangeCode({
    code,
    redirectUri: `${server.url}/accounts/ebay/login/callback/`,
    codeVerifier: null,
  })
  return grant.access_token
}

describe('linking an eBay account', () => {
  it('links the account that eBay names once, and tells the owner', async () => {
    const account = await register(api)
    const token = await platformToken({ id: 'social-1', name: 'one' })
    expect(statuses(await parallel(8, () => connect(account.token, token)))).toEqual({ 200: 8 })
    expect(
      await server.services.db.any('select provider, subject from social_link where user_id = $1', [account.id]),
    ).toEqual([{ provider: 'ebay', subject: 'social-1' }])
    await waitForMessage(server.services, account.email, 'identity-linked')
  })

  it('gives an identity to one of two concurrent claimants', async () => {
    const accounts = await parallel(8, () => register(api))
    const token = await platformToken({ id: 'social-2', name: 'two' })
    const replies = await Promise.all(accounts.map((account) => connect(account.token, token)))
    expect(statuses(replies)).toEqual({ 200: 1, 409: 7 })
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('identity_in_use')
  })

  it.each(['invented', 'x'.repeat(5_000), 'with space', 'line\nbreak', 'nul\u0001'])(
    'refuses a token that eBay does not know (%j)',
    async (token) => {
      const account = await register(api)
      expect(await connect(account.token, token)).toMatchObject({
        status: 401,
        body: { code: 'invalid_identity_token' },
      })
      expect(await server.services.db.any('select 1 from social_link where user_id = $1', [account.id])).toEqual([])
    },
  )

  it('opens no session by a link', async () => {
    const account = await register(api)
    const before = await server.services.db.one('select count(*) from bearer_token where user_id = $1', [account.id])
    await connect(account.token, await platformToken({ id: 'social-3', name: 'three' }))
    expect(await server.services.db.one('select count(*) from bearer_token where user_id = $1', [account.id])).toEqual(
      before,
    )
  })

  it('distinguishes an outage from a wrong token', async () => {
    const account = await register(api)
    const token = await platformToken({ id: 'social-4', name: 'four' })
    ebay.before = async () => {
      throw 503
    }
    const reply = await connect(account.token, token)
    ebay.before = async () => {}
    expect([502, 503]).toContain(reply.status)
  })
})
