import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { ebay } from '#server/integrations/ebay/testing/compliance-subject.ts'
import { etsy } from '#server/integrations/etsy/testing/compliance-subject.ts'
import type { ComplianceRun, ComplianceSubject } from '#server/integrations/testing/compliance.ts'
import { InventoryRecord } from '#shared/item/inventory-record.ts'
import { OAuthSlug } from '#shared/platforms.ts'
import { createSeller, type Seller } from './testing/harness.ts'

const subjects: ComplianceSubject[] = [ebay, etsy]

/** Imports over the real adapters, from the sandbox platforms, over real HTTP. */
describe.each(subjects)('an import from the sandbox $slug', (subject) => {
  let run: ComplianceRun
  let server: TestServer
  beforeAll(async () => {
    run = await subject.start({ fetch, timeoutMs: 30_000 })
    server = await startTestServer({ platforms: [run.adapter] })
  })
  afterAll(async () => {
    await server?.close()
    await run?.close()
  })
  afterEach(async () => {
    run.clearFaults()
  })

  async function connect(account: TestAccount, shopName: string): Promise<Seller> {
    const { oauth } = run.adapter
    // A verifier from RFC 7636 appendix B, with its S256 challenge.
    const codeVerifier = oauth.pkce ? 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' : null
    const codeChallenge = oauth.pkce ? 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' : null
    const url = oauth.authorizeUrl({ state: 's', redirectUri: run.redirectUri, codeChallenge })
    const code = new URL(await run.consent(url, shopName, 'agree')).searchParams.get('code') ?? ''
    const grant = await oauth.exchangeCode({ code, redirectUri: run.redirectUri, codeVerifier })
    const shop = await oauth.identify(grant.access_token)
    const { seller_account_uid } = await storeConnection(server.services, {
      user_id: account.user_id,
      platform: OAuthSlug.parse(subject.slug),
      shop,
      grant,
    })
    return createSeller(server, account, { uid: seller_account_uid, platform: OAuthSlug.parse(subject.slug) })
  }

  it('brings in every live listing once, as it is there', async () => {
    const seller = await connect(await buildAccount(server.services.db), run.sellers.busy)
    const job = await seller.import()
    const truth = run.activeListings(run.sellers.busy)
    expect(job).toMatchObject({ status: 'completed', total_listings_found: truth.length, progress_percentage: 100 })
    expect(job.items_conflicted).toBeGreaterThan(0)
    expect(job.items_failed).toBeGreaterThan(0)

    const items = []
    for (let page = 1; items.length < truth.length; page++) {
      items.push(...(await seller.items(job.id, `page_size=100&page=${page}`)))
    }
    expect(items.map((item) => item.external_listing_id).sort()).toEqual(
      truth.map(({ listing_id }) => listing_id).sort(),
    )
    const inventory = new Map((await seller.inventory()).map((item) => [item.record.offer_id, item]))
    expect(inventory.size).toBe(job.items_imported)
    for (const listing of truth) {
      const item = inventory.get(listing.listing_id)
      if (!item) continue
      InventoryRecord.parse(item.record)
      expect(item).toMatchObject({
        sku: listing.sku,
        record: {
          title: listing.title.replace(/\s+/g, ' ').trim(),
          images: listing.images,
          offer: { price_minor: listing.price_minor, currency: listing.currency },
        },
      })
    }
    for (const item of items.filter(({ status }) => status === 'failed')) {
      expect(item.error_code).toMatch(/^(fetch_failed|missing_images|page_changed|invalid_price)$/)
    }
  })

  it('changes nothing the second time', async () => {
    const account = await buildAccount(server.services.db)
    const seller = await connect(account, run.sellers.small)
    const first = await seller.import()
    const before = await seller.inventory()
    const again = await seller.import()
    expect(again).toMatchObject({ items_imported: 0, items_skipped: first.items_imported + first.items_skipped })
    expect(await seller.inventory()).toEqual(before)
  })

  it('completes for an empty shop', async () => {
    const seller = await connect(await buildAccount(server.services.db), run.sellers.empty)
    expect(await seller.import()).toMatchObject({ status: 'completed', total_listings_found: 0 })
  })
})
