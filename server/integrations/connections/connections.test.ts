import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel, statuses } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { newId } from '#shared/identity.ts'
import { destroyConnections } from './destroy-connections.ts'
import { findOrCreateScrapedShop } from './scraped-shop.ts'
import { authorize, connectShop, sellerAccounts, startConnecting } from './testing/connect.ts'
import { startTestPlatform, type TestPlatform } from './testing/platform.ts'

let ebay: TestPlatform
let server: TestServer
let api: Api
let account: TestAccount
let shopNumber = 0

beforeAll(async () => {
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({ works: false, platforms: [ebay.adapter] })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
})
beforeEach(async () => {
  account = await buildAccount(server.services.db)
  ebay.seller = { id: `S-${++shopNumber}`, name: `shop_${shopNumber}` }
  ebay.before = async () => {}
})

describe('listing platforms and shops', () => {
  it('shows all five platforms and which are connected', async () => {
    await connectShop(server.url, account, 'ebay')
    const { status, body } = await api('GET', '/api/v1/platforms/', { headers: account.key })
    expect(status).toBe(200)
    expect(body.map((platform: { slug: string }) => platform.slug)).toEqual([
      'ebay',
      'etsy',
      'poshmark',
      'mercari',
      'depop',
    ])
    for (const platform of body) {
      expect(platform.connection_url).toBe(`/accounts/${platform.slug}/login/`)
      expect(platform.is_selling_active).toBe(platform.slug === 'ebay')
    }
  })

  it("hides another account's shops", async () => {
    await connectShop(server.url, account, 'ebay')
    const other = await buildAccount(server.services.db)
    expect((await api('GET', '/api/v1/seller-accounts/', { headers: other.bearer })).body).toEqual([])
    const platforms = (await api('GET', '/api/v1/platforms/', { headers: other.bearer })).body
    expect(platforms.some((platform: { is_selling_active: boolean }) => platform.is_selling_active)).toBe(false)
  })

  it('requires the scope platforms:read', async () => {
    const reader = await buildAccount(server.services.db, { scopes: ['platforms:read'] })
    const other = await buildAccount(server.services.db, { scopes: ['inventory:read'] })
    for (const path of ['/api/v1/platforms/', '/api/v1/seller-accounts/']) {
      expect((await api('GET', path, { headers: reader.key })).status).toBe(200)
      const refused = await api('GET', path, { headers: other.key })
      expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
    }
  })

  it('never shows a token', async () => {
    await connectShop(server.url, account, 'ebay')
    const { body } = await api('GET', '/api/v1/seller-accounts/', { headers: account.bearer })
    expect(Object.keys(body[0]).sort()).toEqual(
      [
        'connected_at',
        'external_id',
        'external_name',
        'health',
        'is_on_vacation',
        'last_synced_at',
        'platform',
        'sale_notices',
        'status',
        'uid',
      ].sort(),
    )
    expect(ebay.issuedSecrets.filter((secret) => JSON.stringify(body).includes(secret))).toEqual([])
  })
})

describe('starting a connection', () => {
  it.each([
    ['etsy', 409, 'platform_not_configured'],
    ['poshmark', 400, 'platform_not_connectable'],
    ['amazon', 404, 'not_found'],
    ['EBAY', 404, 'not_found'],
    ['..%2Febay', 404, 'not_found'],
  ])('answers %s with %i', async (slug, status, code) => {
    const reply = await api('POST', `/api/v1/platforms/${slug}/connect/`, { headers: account.bearer })
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  it('returns an absolute address that is valid for a minute', async () => {
    const beforeMs = Date.now()
    const { body } = await api('POST', '/api/v1/platforms/ebay/connect/', { headers: account.bearer })
    const [fromMs, toMs] = [beforeMs + 60_000, Date.now() + 60_000]
    expect(body.connection_url.startsWith(`${server.url}/accounts/ebay/login/?ticket=`)).toBe(true)
    // Allow a second, because the clock is read in two processes.
    expect(Date.parse(body.expires_at)).toBeGreaterThanOrEqual(fromMs - 1_000)
    expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(toMs + 1_000)
  })

  it('requires a session, not an API key', async () => {
    const reply = await api('POST', '/api/v1/platforms/ebay/connect/', { headers: account.key })
    expect([reply.status, reply.body.code]).toEqual([403, 'wrong_credential_kind'])
  })
})

describe('disconnecting', () => {
  it('deletes and revokes the tokens and keeps the row', async () => {
    await connectShop(server.url, account, 'ebay')
    const [shop] = await sellerAccounts(server.url, account)
    const before = ebay.counts.revoke
    const path = `/api/v1/seller-accounts/${shop!.uid}/`
    expect((await api('DELETE', path, { headers: account.bearer })).status).toBe(204)
    expect(ebay.counts.revoke).toBe(before + 1)
    expect(await sellerAccounts(server.url, account)).toMatchObject([{ uid: shop!.uid, status: 'revoked' }])
    const row = await server.services.db.one(
      'select encrypted_access_token, encrypted_refresh_token from seller_account where uid = $<uid>',
      shop,
    )
    expect(row).toEqual({ encrypted_access_token: null, encrypted_refresh_token: null })
    expect((await api('DELETE', path, { headers: account.bearer })).status).toBe(204)
    expect(ebay.counts.revoke).toBe(before + 1)
  })

  it('requires a key that may list', async () => {
    await connectShop(server.url, account, 'ebay')
    const [shop] = await sellerAccounts(server.url, account)
    const path = `/api/v1/seller-accounts/${shop!.uid}/`
    const reading = await api('POST', '/api/v1/api-keys/', {
      headers: account.bearer,
      body: { name: 'reads', scopes: ['platforms:read'] },
    })
    const refused = await api('DELETE', path, { headers: { 'x-api-key': reading.body.key } })
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
    expect((await api('DELETE', path, { headers: account.key })).status).toBe(204)
    expect(await sellerAccounts(server.url, account)).toMatchObject([{ uid: shop!.uid, status: 'revoked' }])
  })

  it('deletes the tokens even if the platform is down', async () => {
    await connectShop(server.url, account, 'ebay')
    const [shop] = await sellerAccounts(server.url, account)
    ebay.before = async () => {
      throw 503
    }
    expect((await api('DELETE', `/api/v1/seller-accounts/${shop!.uid}/`, { headers: account.bearer })).status).toBe(204)
    const row = await server.services.db.one(
      'select status, encrypted_access_token, encrypted_refresh_token from seller_account where uid = $<uid>',
      shop,
    )
    expect(row).toEqual({ status: 'revoked', encrypted_access_token: null, encrypted_refresh_token: null })
  })

  it('runs the disconnected hooks in the same transaction', async () => {
    await connectShop(server.url, account, 'ebay')
    const [shop] = await sellerAccounts(server.url, account)
    const failing = async () => {
      throw new Error('the import could not be stopped')
    }
    const { disconnected } = server.services.connectionHooks
    disconnected.push(failing)
    try {
      const reply = await api('DELETE', `/api/v1/seller-accounts/${shop!.uid}/`, { headers: account.bearer })
      expect(reply.status).toBe(500)
    } finally {
      disconnected.splice(disconnected.indexOf(failing), 1)
    }
    expect(await sellerAccounts(server.url, account)).toMatchObject([{ status: 'connected' }])
  })

  it('answers 404 for foreign, unknown and malformed ids', async () => {
    await connectShop(server.url, account, 'ebay')
    const [shop] = await sellerAccounts(server.url, account)
    const other = await buildAccount(server.services.db)
    for (const uid of [shop!.uid, newId('sel'), newId('inv'), 'x']) {
      const reply = await api('DELETE', `/api/v1/seller-accounts/${uid}/`, { headers: other.bearer })
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
    }
    expect(await sellerAccounts(server.url, account)).toMatchObject([{ status: 'connected' }])
  })
})

describe('closing an account', () => {
  it('deletes tokens, tickets and pending authorizations', async () => {
    await connectShop(server.url, account, 'ebay')
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    const ticket = await startConnecting(server.url, account, 'ebay')
    const bystander = await buildAccount(server.services.db)
    ebay.seller = { id: 'bystander', name: 'bystander' }
    await connectShop(server.url, bystander, 'ebay')

    const { services } = server
    await transaction(services.db, 'test', (tx) => destroyConnections(services, tx, account.user_id))
    expect(await sellerAccounts(server.url, account)).toMatchObject([{ status: 'revoked' }])
    expect((await browser.get(callback)).status).toBe(400)
    expect((await browser.get(ticket)).status).toBe(400)
    const rows = await server.services.db.any(
      'select user_id from seller_account where encrypted_access_token is not null or encrypted_refresh_token is not null',
    )
    expect(rows.map((row) => row.user_id)).not.toContain(account.user_id)
    expect(await sellerAccounts(server.url, bystander)).toMatchObject([{ status: 'connected' }])
  })
})

describe('shops that the extension reads', () => {
  const shopOf = (user_id: number, username: string) => ({
    user_id,
    platform: 'poshmark' as const,
    username,
    url: `https://poshmark.com/closet/${username}`,
  })

  it('ignore case and blanks in the name, also concurrently', async () => {
    const names = ['Vera_Closet', 'vera_closet', ' VERA_CLOSET ']
    const found = await parallel(32, (index) =>
      findOrCreateScrapedShop(server.services.db, shopOf(account.user_id, names[index % 3]!)),
    )
    expect(new Set(found.map((shop) => shop.uid)).size).toBe(1)
    expect(await sellerAccounts(server.url, account)).toMatchObject([
      { platform: 'poshmark', external_id: 'vera_closet', status: 'connected' },
    ])
    const { body } = await api('GET', '/api/v1/platforms/', { headers: account.key })
    expect(body.find((platform: { slug: string }) => platform.slug === 'poshmark').is_selling_active).toBe(true)
  })

  it('may have the same name in several accounts', async () => {
    const accounts = await parallel(8, () => buildAccount(server.services.db))
    const shops = await Promise.all(
      accounts.map(({ user_id }) => findOrCreateScrapedShop(server.services.db, shopOf(user_id, 'Wanted'))),
    )
    expect(new Set(shops.map(({ uid }) => uid)).size).toBe(8)
    for (const one of accounts) {
      expect(await sellerAccounts(server.url, one)).toMatchObject([{ external_id: 'wanted', status: 'connected' }])
    }
  })

  it('are limited to 25 per platform, also concurrently', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        server.services.db.tx((tx) => findOrCreateScrapedShop(tx, shopOf(account.user_id, `Shop${index}`))),
      ),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(15)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'quota_exceeded', status: 409 })
    const [known] = await sellerAccounts(server.url, account)
    const again = await findOrCreateScrapedShop(server.services.db, shopOf(account.user_id, known!.external_name))
    expect(again.uid).toBe(known!.uid)
    // A disconnected shop still counts.
    await api('DELETE', `/api/v1/seller-accounts/${known!.uid}/`, { headers: account.bearer })
    const further = findOrCreateScrapedShop(server.services.db, shopOf(account.user_id, 'Further'))
    await expect(further).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  it('keep their id after a disconnect', async () => {
    const first = await findOrCreateScrapedShop(server.services.db, shopOf(account.user_id, 'Back'))
    const path = `/api/v1/seller-accounts/${first.uid}/`
    expect((await api('DELETE', path, { headers: account.bearer })).status).toBe(204)
    expect(await findOrCreateScrapedShop(server.services.db, shopOf(account.user_id, 'back'))).toMatchObject({
      uid: first.uid,
    })
    expect((await api('DELETE', path, { headers: account.bearer })).status).toBe(204)
    const other = await buildAccount(server.services.db)
    await findOrCreateScrapedShop(server.services.db, shopOf(other.user_id, 'back'))
    expect(await findOrCreateScrapedShop(server.services.db, shopOf(account.user_id, 'back'))).toMatchObject({
      uid: first.uid,
    })
  })

  it('are not created for a closed account', async () => {
    await server.services.db.none("update app_user set state = 'deactivated' where id = $<user_id>", account)
    await expect(findOrCreateScrapedShop(server.services.db, shopOf(account.user_id, 'closed'))).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('connecting in parallel', () => {
  it('issues a ticket for every request', async () => {
    const replies = await parallel(16, () =>
      api('POST', '/api/v1/platforms/ebay/connect/', { headers: account.bearer }),
    )
    expect(statuses(replies)).toEqual({ 200: 16 })
  })
})
