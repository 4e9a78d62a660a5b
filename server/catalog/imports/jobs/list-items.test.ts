import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, startImportHarness } from '../testing/harness.ts'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())

it('shows picture and currency of listings that need a decision', async () => {
  const seller = await harness.seller()
  harness.ebay.shop = [buildListing({ sku: 'S-1' })]
  await seller.import()
  const onEtsy = await harness.etsyOf(seller)
  const listing = buildListing({ sku: 'S-1', images: ['https://pictures.example.com/there.jpg'], currency: 'EUR' })
  harness.etsy.shop = [{ ...listing, url: `https://www.etsy.com/listing/${listing.listing_id}` }]
  const { id } = await onEtsy.import()
  expect(await onEtsy.items(id)).toMatchObject([
    {
      status: 'conflict',
      listing_image: 'https://pictures.example.com/there.jpg',
      listing_currency: 'EUR',
    },
  ])
})

it('names the page of a listing that was not imported', async () => {
  const seller = await harness.seller()
  harness.ebay.shop = [buildListing({ title: '' })]
  const { id } = await seller.import()
  expect(await seller.items(id)).toMatchObject([{ status: 'failed', listing_url: harness.ebay.shop[0]!.url }])
})
