import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createEbayAdapter } from '#server/integrations/ebay/index.ts'
import { createEbaySandbox, type EbaySandbox, type EbaySandboxOptions } from '#server/sandbox/ebay/index.ts'
import { usualScopes } from '#server/sandbox/ebay/oauth.ts'
import { consentAs } from '#server/sandbox/testing/consent-on-ebay.ts'
import { signedInBrowser } from './testing/connect.ts'
import { withShopAccess } from './with-shop-access.ts'

const client = { clientId: 'Hapax-Test', clientSecret: 'ebay-secret-canary', ruName: 'Hapax-Test-RuName' }
let sandbox: EbaySandbox
let server: TestServer
let api: Api

async function start(change: Partial<EbaySandboxOptions> = {}) {
  const options = { ...client, acceptUrl: '', ...change }
  sandbox = createEbaySandbox(options)
  const url = await sandbox.listen(0)
  const config = {
    EBAY_CLIENT_ID: client.clientId,
    EBAY_CLIENT_SECRET: client.clientSecret,
    EBAY_RU_NAME: client.ruName,
    EBAY_AUTH_URL: url,
    EBAY_API_URL: url,
    EBAY_APIZ_URL: url,
  }
  server = await startTestServer({ works: false, platforms: [createEbayAdapter({ config, fetch })] })
  // eBay's RuName maps to this address, which is known once the server listens.
  options.acceptUrl = `${server.url}/accounts/ebay/login/callback/`
  api = apiOf(server.url)
}
async function stop() {
  await server?.close()
  await sandbox?.close()
}
beforeAll(() => start())
afterAll(stop)

async function register(): Promise<{ id: number; headers: { authorization: string } }> {
  const password = 'a Right password 7'
  const { body } = await api('POST', '/api/auth/register/email/', {
    body: { email: `seller-${Math.random()}@example.com`, password, password_confirm: password },
  })
  return { id: body.user.id, headers: bearer(body.token) }
}

it('connects a new seller’s eBay shop in a browser', async () => {
  const seller = await register()
  const started = await api('POST', '/api/v1/platforms/ebay/connect/', { headers: seller.headers })
  const browser = signedInBrowser(server.url, { bearer: seller.headers })
  const login = await browser.get(started.body.connection_url)
  const username = sandbox.market.sellers()[0]!.username
  const page = await browser.get(await consentAs(login.location!, username))
  expect([page.status, page.text.includes(username)]).toEqual([200, true])

  const accounts = await api('GET', '/api/v1/seller-accounts/', { headers: seller.headers })
  expect(accounts.body).toMatchObject([{ platform: 'ebay', external_name: username, status: 'connected' }])
  const platforms = await api('GET', '/api/v1/platforms/', { headers: seller.headers })
  expect(platforms.body[0]).toMatchObject({ slug: 'ebay', is_selling_active: true })

  // eBay's answer names the site that the seller registered on.
  const currency = await api('GET', '/api/v1/user/currency/', { headers: seller.headers })
  expect(currency.body).toEqual({ currency: 'USD', source: 'shop' })

  const owner = { user_id: seller.id, seller_account_uid: accounts.body[0].uid }
  const whoIs = () =>
    withShopAccess(server.services, owner, async (access, adapter) => adapter.oauth.identify(access.accessToken))
  sandbox.grants.expireAccess(username)
  expect((await whoIs()).external_name).toBe(username)
  sandbox.grants.revoke(username)
  await expect(whoIs()).rejects.toMatchObject({ failure: 'reconnect' })
  const after = await api('GET', '/api/v1/seller-accounts/', { headers: seller.headers })
  expect(after.body).toMatchObject([{ status: 'reconnect_required' }])

  expect(server.logged.join('')).not.toContain(client.clientSecret)
})

it('connects nothing if the seller declines at eBay', async () => {
  const seller = await register()
  const started = await api('POST', '/api/v1/platforms/ebay/connect/', { headers: seller.headers })
  const browser = signedInBrowser(server.url, { bearer: seller.headers })
  const login = await browser.get(started.body.connection_url)
  const page = await browser.get(await consentAs(login.location!, sandbox.market.sellers()[0]!.username, 'decline'))
  expect([page.status, page.text.includes('you did not agree')]).toEqual([400, true])
  expect((await api('GET', '/api/v1/seller-accounts/', { headers: seller.headers })).body).toEqual([])
})

it('connects a shop where the keyset lacks the scope of notices', async () => {
  await stop()
  await start({ scopes: usualScopes.filter((scope) => !scope.endsWith('commerce.notification.subscription')) })
  const seller = await register()
  const started = await api('POST', '/api/v1/platforms/ebay/connect/', { headers: seller.headers })
  const browser = signedInBrowser(server.url, { bearer: seller.headers })
  const login = await browser.get(started.body.connection_url)
  await browser.get(await consentAs(login.location!, sandbox.market.sellers()[0]!.username))
  const accounts = await api('GET', '/api/v1/seller-accounts/', { headers: seller.headers })
  expect(accounts.body).toMatchObject([{ platform: 'ebay', status: 'connected' }])
})
