import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { parallel } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { Services } from '#server/services.ts'
import { checkConnections } from './check-connections.ts'
import { connectShop, sellerAccounts } from './testing/connect.ts'
import { startTestPlatform, type TestPlatform } from './testing/platform.ts'
import { withShopAccess } from './with-shop-access.ts'

let etsy: TestPlatform
let server: TestServer
let services: Services
let account: TestAccount
let uid: string
let shopNumber = 0

beforeAll(async () => {
  etsy = await startTestPlatform({ slug: 'etsy', pkce: true, rotating: true })
  server = await startTestServer({ works: false, platforms: [etsy.adapter] })
  services = server.services
})
afterAll(async () => {
  await server?.close()
  await etsy?.close()
})
beforeEach(async () => {
  Object.assign(services.connectionHooks, { connected: [], resumed: [], lost: [], disconnected: [] })
  await services.db.none('update seller_account set last_checked_at = now()')
  account = await buildAccount(services.db)
  etsy.seller = { id: `E-${++shopNumber}`, name: `shop_${shopNumber}` }
  etsy.before = async () => {}
  await connectShop(server.url, account, 'etsy')
  uid = (await sellerAccounts(server.url, account))[0]!.uid
  Object.assign(etsy.counts, { refresh: 0, identify: 0 })
})

const age = (interval: string) =>
  services.db.none(
    `update seller_account set last_checked_at = last_checked_at - $<interval>::interval,
       access_expires_at = access_expires_at - $<interval>::interval where uid = $<uid>`,
    { uid, interval },
  )
const status = async () => (await sellerAccounts(server.url, account))[0]!.status

describe('the periodic check of connections', () => {
  it('skips connections that were used today', async () => {
    await age('23 hours')
    expect(await checkConnections(services)).toBe(0)
    expect(etsy.counts).toMatchObject({ refresh: 0, identify: 0 })
  })

  it('renews an unused connection and updates the shop name', async () => {
    await age('25 hours')
    etsy.seller.name = 'renamed'
    expect(await checkConnections(services)).toBe(1)
    expect(etsy.counts).toMatchObject({ refresh: 1, identify: 1 })
    expect(await sellerAccounts(server.url, account)).toMatchObject([{ external_name: 'renamed', status: 'connected' }])
    expect(await checkConnections(services)).toBe(0)
  })

  it('finds a lost connection and runs the lost hook', async () => {
    const lost: string[] = []
    services.connectionHooks.lost.push(async (_services, _queries, shop) => void lost.push(shop.seller_account_uid))
    etsy.revokeAll()
    await age('25 hours')
    expect(await checkConnections(services)).toBe(1)
    expect([await status(), lost]).toEqual(['reconnect_required', [uid]])
    await age('25 hours')
    expect(await checkConnections(services)).toBe(0)
  })

  it('keeps a connection and retries soon if the platform is down', async () => {
    await age('25 hours')
    etsy.before = async () => {
      throw 503
    }
    expect(await checkConnections(services)).toBe(1)
    expect(await status()).toBe('connected')
    expect(await checkConnections(services)).toBe(0)
    await age('16 minutes')
    etsy.before = async () => {}
    expect(await checkConnections(services)).toBe(1)
    expect(await checkConnections(services)).toBe(0)
  })

  it('reconnects a shop whose grant still works', async () => {
    const resumed: string[] = []
    services.connectionHooks.resumed.push(
      async (_services, _queries, shop) => void resumed.push(shop.seller_account_uid),
    )
    const owner = { user_id: account.user_id, seller_account_uid: uid }
    const refused = withShopAccess(services, owner, async () => {
      throw new PlatformError('etsy', 'unauthorized', 'a bad hour at the platform')
    })
    await expect(refused).rejects.toMatchObject({ failure: 'reconnect' })
    expect(await status()).toBe('reconnect_required')

    etsy.before = async (call) => {
      if (call === 'identify') throw 503
    }
    await age('61 minutes')
    expect(await checkConnections(services)).toBe(1)
    expect([await status(), resumed]).toEqual(['reconnect_required', []])
    expect(await checkConnections(services)).toBe(0)

    etsy.before = async () => {}
    await age('61 minutes')
    expect(await checkConnections(services)).toBe(1)
    expect([await status(), resumed]).toEqual(['connected', [uid]])
  })

  it('checks each connection once with concurrent workers', async () => {
    await age('25 hours')
    await services.db.tx(async (tx) => {
      await tx.one('select uid from seller_account where uid = $<uid> for update', { uid })
      expect(await checkConnections(services)).toBe(0)
    })
    const checked = await parallel(8, () => checkConnections(services))
    expect(checked.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(etsy.counts).toMatchObject({ refresh: 1, identify: 1 })
  })

  it('requires a reconnection if the tokens are of another shop', async () => {
    await services.db.none("update seller_account set external_id = 'somebody-else' where uid = $<uid>", { uid })
    await age('25 hours')
    await checkConnections(services)
    expect(await status()).toBe('reconnect_required')
  })

  it('skips closed accounts and disabled platforms', async () => {
    await age('25 hours')
    await checkConnections({ ...services, platforms: new Map() })
    await services.db.none("update app_user set state = 'deactivated' where id = $<user_id>", account)
    await age('25 hours')
    await checkConnections(services)
    expect(etsy.counts).toMatchObject({ refresh: 0, identify: 0 })
  })
})
