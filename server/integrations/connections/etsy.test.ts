import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf, parallel } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createEtsyAdapter } from '#server/integrations/etsy/index.ts'
import { createEtsySandbox, type EtsySandbox } from '#server/sandbox/etsy/index.ts'
import { consentAs } from '#server/sandbox/testing/consent-on-etsy.ts'
import { sellerAccounts, signedInBrowser, startConnecting } from './testing/connect.ts'
import { withShopAccess } from './with-shop-access.ts'

const client = { clientId: 'hapaxtestkeystring', clientSecret: 'etsy-secret-canary' }
let sandbox: EtsySandbox
let server: TestServer

beforeAll(async () => {
  const redirectUris: string[] = []
  sandbox = createEtsySandbox({ ...client, redirectUris, limits: null })
  const url = await sandbox.listen(0)
  const config = {
    ETSY_CLIENT_ID: client.clientId,
    ETSY_CLIENT_SECRET: client.clientSecret,
    ETSY_AUTH_URL: url,
    ETSY_API_URL: url,
  }
  server = await startTestServer({ works: false, platforms: [createEtsyAdapter({ config, fetch })] })
  redirectUris.push(`${server.url}/accounts/etsy/login/callback/`)
})
afterAll(async () => {
  await server?.close()
  await sandbox?.close()
})

async function connectAs(account: TestAccount, shopName: string) {
  const browser = signedInBrowser(server.url, account)
  const login = await browser.get(await startConnecting(server.url, account, 'etsy'))
  expect(new URL(login.location!).searchParams.get('code_challenge_method')).toBe('S256')
  return browser.get(await consentAs(login.location!, shopName))
}

it('connects an Etsy shop with PKCE and rotates its tokens', async () => {
  const account = await buildAccount(server.services.db)
  const shopName = 'VintageVeraShop'
  const page = await connectAs(account, shopName)
  expect([page.status, page.text.includes(shopName)]).toEqual([200, true])
  const [shop] = await sellerAccounts(server.url, account)
  expect(shop).toMatchObject({ platform: 'etsy', external_name: shopName, status: 'connected' })
  const currency = await apiOf(server.url)('GET', '/api/v1/user/currency/', { headers: account.bearer })
  expect(currency.body).toEqual({ currency: 'USD', source: 'shop' })

  const owner = { user_id: account.user_id, seller_account_uid: shop!.uid }
  const whoIs = () =>
    withShopAccess(server.services, owner, async (access, adapter) => adapter.oauth.identify(access.accessToken))
  for (let hour = 0; hour < 4; hour++) {
    await server.services.db.none('update seller_account set access_expires_at = now() where uid = $<uid>', shop)
    const names = (await parallel(16, whoIs)).map((identity) => identity.external_name)
    expect(new Set(names)).toEqual(new Set([shopName]))
  }
  const { token_epoch } = await server.services.db.one(
    'select token_epoch from seller_account where uid = $<uid>',
    shop,
  )
  expect(token_epoch).toBe(5)
  expect(server.logged.join('')).not.toContain(client.clientSecret)
})

it('connects nothing if the seller declines at Etsy', async () => {
  const account = await buildAccount(server.services.db)
  const browser = signedInBrowser(server.url, account)
  const login = await browser.get(await startConnecting(server.url, account, 'etsy'))
  const page = await browser.get(await consentAs(login.location!, 'VintageVeraShop', 'decline'))
  expect([page.status, await sellerAccounts(server.url, account)]).toEqual([400, []])
})

it('says on its page why Etsy did not sign a seller in', async () => {
  const account = await buildAccount(server.services.db)
  sandbox.faults.set({ call: 'token', kind: 'html_body', times: 1 })
  const page = await connectAs(account, 'EmptyEveShop')
  expect(page.status).toBe(503)
  expect(page.text).toContain('Etsy could not answer the sign-in. This usually passes within minutes.')
})

it('says which access is missing when Etsy takes no sixth shop', async () => {
  const redirectUris: string[] = []
  const own = createEtsySandbox({
    ...{ ...client, redirectUris, limits: null, usual: false, access: 'personal' },
    shops: ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((name) => ({ shopName: `Personal${name}Shop` })),
  })
  const url = await own.listen(0)
  const config = { ETSY_CLIENT_ID: client.clientId, ETSY_CLIENT_SECRET: client.clientSecret }
  const adapter = createEtsyAdapter({ config: { ...config, ETSY_AUTH_URL: url, ETSY_API_URL: url }, fetch })
  const hosted = await startTestServer({ works: false, platforms: [adapter] })
  redirectUris.push(`${hosted.url}/accounts/etsy/login/callback/`)
  try {
    const pages = []
    for (const { name } of own.market.users()) {
      const account = await buildAccount(hosted.services.db)
      const browser = signedInBrowser(hosted.url, account)
      const login = await browser.get(await startConnecting(hosted.url, account, 'etsy'))
      pages.push(await browser.get(await consentAs(login.location!, name)))
    }
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400])
    const words = /personal access connect 5 shops.*commercial access/
    expect(pages.at(-1)!.text).toMatch(words)
    expect(hosted.logged.join('')).toMatch(words)
  } finally {
    await hosted.close()
    await own.close()
  }
})
