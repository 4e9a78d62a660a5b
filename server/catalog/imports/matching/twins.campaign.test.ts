import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { somePoints } from '#e2e/harness/campaigns/campaign.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { startEbaySandbox as startEbay } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { startEtsySandbox as startEtsy } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { createFetchPicture } from '#server/integrations/fetch-picture.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { createSeller, type Seller } from '../testing/harness.ts'
import { createReadPhoto } from './read-photo.ts'

let ebay: Awaited<ReturnType<typeof startEbay>>
let etsy: Awaited<ReturnType<typeof startEtsy>>
let server: TestServer
beforeAll(async () => {
  ebay = await startEbay()
  etsy = await startEtsy()
  server = await startTestServer({ platforms: [ebay.adapter, etsy.adapter] })
  server.services.readPhoto = createReadPhoto(createFetchPicture({ platformOrigins: [ebay.url, etsy.url] }))
})
afterAll(async () => {
  await server?.close()
  await ebay?.sandbox.close()
  await etsy?.sandbox.close()
})

async function connect(account: TestAccount, platform: OAuthSlug, access: ShopAccess): Promise<Seller> {
  const { seller_account_uid } = await storeConnection(server.services, {
    user_id: account.user_id,
    platform,
    shop: access.shop,
    grant: {
      access_token: access.accessToken,
      refresh_token: 'unused',
      expires_in_seconds: 7_200,
      refresh_expires_in_seconds: null,
      scopes: [],
    },
  })
  return createSeller(server, account, { uid: seller_account_uid, platform })
}

/** Removes all but the day's items of the seller from both marketplaces. */
function keepItemsOfTheDay(): void {
  const [onEbay, onEtsy] = [ebay.sandbox.market, etsy.sandbox.market]
  const ids = onEbay.itemsOf('vintage_vera').map(({ itemId }) => itemId)
  const kept = new Set(somePoints(ids))
  for (const id of ids) if (!kept.has(id)) onEbay.remove(id)
  const twins = new Map(onEtsy.twins())
  const listings = onEtsy.listingsOf(onEtsy.shopNamed('VintageVeraShop')!.shopId).map(({ listingId }) => listingId)
  const alone = new Set(somePoints(listings.filter((id) => !twins.has(id))))
  for (const id of listings) if (!alone.has(id) && !kept.has(twins.get(id) ?? '')) onEtsy.remove(id)
}

describe("one seller's shops on both sandbox platforms", () => {
  it('get asked about nearly every shared item, none for sure', async () => {
    keepItemsOfTheDay()
    const account = await buildAccount(server.services.db)
    await (await connect(account, 'ebay', ebay.accessOf('vintage_vera'))).import()
    const onEtsy = await connect(account, 'etsy', etsy.accessOf('VintageVeraShop'))
    const itemOf = new Map((await onEtsy.inventory()).map((item) => [item.record.offer_id, item.uid]))
    const job = await onEtsy.import()

    const items: ImportItem[] = []
    for (let page = 1; items.length < job.total_listings_found; page++) {
      items.push(...(await onEtsy.items(job.id, `page_size=100&page=${page}`)))
    }
    const asked = new Map(
      items
        .filter((item) => item.conflict_type === 'possible_duplicate')
        .map((item) => [item.external_listing_id, item]),
    )
    const twins = new Map(
      etsy.sandbox.market
        .twins()
        .map(([listing, item]) => [String(listing), itemOf.get(item)] as const)
        .filter(([listing, uid]) => uid && items.some((item) => item.external_listing_id === listing)),
    )
    expect(twins.size).toBeGreaterThan(25)
    const noticed = [...twins.keys()].filter((listing) => asked.has(listing))
    expect(noticed.length / twins.size).toBeGreaterThanOrEqual(0.9)
    const wronglySure = [...asked].filter(
      ([listing, { conflict_details }]) =>
        conflict_details?.includes('surely') && !conflict_details.includes(twins.get(listing) ?? 'nothing'),
    )
    expect(wronglySure.map(([, item]) => `${item.listing_title}: ${item.conflict_details}`)).toEqual([])
    await checkInvariants(server.services.db)
  })
})
