import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { createSeller } from '../testing/harness.ts'
import { connectTestShop } from '../testing/shop.ts'

let ebay: Awaited<ReturnType<typeof startEbaySandbox>>
let server: TestServer
beforeAll(async () => {
  ebay = await startEbaySandbox()
  server = await startTestServer({ platforms: [ebay.adapter] })
})
afterAll(async () => {
  await server?.close()
  await ebay?.sandbox.close()
})

it('an ended eBay listing with a unit left is no oversell', async () => {
  const { services } = server
  const account = await buildAccount(services.db)
  const { user_id } = account
  const { accessToken } = ebay.accessOf('empty_eve')
  const { uid } = await connectTestShop(services, account)
  const seller = createSeller(server, account, { uid, platform: 'ebay' })
  Object.assign(ebay.adapter.oauth, {
    refresh: async () => ({
      ...{ access_token: accessToken, refresh_token: null, expires_in_seconds: 7_200 },
      ...{ refresh_expires_in_seconds: null, scopes: [] },
    }),
  })
  await services.db.none("update seller_account set access_expires_at = now() - interval '1 minute' where uid = $1", [
    uid,
  ])
  const { itemId } = ebay.sandbox.market.add('empty_eve', { quantity: 3, quantitySold: 2 })
  expect(await seller.import()).toMatchObject({ items_imported: 1 })
  const [item] = await seller.inventory()
  const etsy = (await connectTestShop(services, account, 'etsy')).uid
  const sale = orderFor({ user_id, item_uid: item.uid, shops: { etsy } }, 'etsy')
  await placeOrder(services.db, user_id, { ...sale, lines: [{ ...sale.lines[0]!, item_uid: item.uid }] })
  ebay.sandbox.market.end(itemId)

  expect(await seller.import({ states: ['active', 'sold'] })).toMatchObject({
    total_listings_found: 1,
    items_skipped: 1,
  })
  const lines = await services.db.map(
    'select state from order_line where user_id = $1',
    [user_id],
    ({ state }) => state,
  )
  expect(lines).toEqual(['sold'])
  const alerts = (await seller.call('GET', '/api/v1/alarms/')).body.results
  expect(alerts.filter(({ kind }: { kind: string }) => kind === 'oversell')).toEqual([])
})
