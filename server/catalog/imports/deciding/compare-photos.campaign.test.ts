import { afterAll, beforeAll, expect, it } from 'vitest'
import { atEachBorder, endAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, startImportHarness } from '../testing/harness.ts'
import { comparePhotos } from './compare-photos.ts'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness()
  harness.server.services.readPhoto = async (url, _signal, _user_id, isPatient) =>
    isPatient ? { whole: BigInt(`0x${url.at(-5)}f0f0f0f0f0f`), cuts: [] } : undefined
})
afterAll(() => harness?.close())

const titles = ['Pendleton wool coat', 'Frye leather boots']

it('compares every photo once its worker died anywhere', async () => {
  const { services } = harness.server
  await atEachBorder(async (border) => {
    const seller = await harness.seller()
    const onEtsy = await harness.etsyOf(seller)
    const shopOf = (host: string) =>
      titles.map((title, n) => {
        const listing = buildListing({ title, size: 'M', images: [`https://${host}.example/${n + 1}.jpg`] })
        return { ...listing, url: `https://www.${host}.com/listing/${listing.listing_id}` }
      })
    harness.ebay.shop = shopOf('ebay')
    harness.etsy.shop = shopOf('etsy')
    await seller.import()
    const job = await onEtsy.import()
    const list = async () => (await seller.call('GET', '/api/v1/marketplace/import/conflicts/')).body
    expect(await list()).toMatchObject({ comparing: 2 })

    const worker = openBorders(services, { at: endAt(border) })
    worker.services.readPhoto = async (...given) => {
      await worker.cross(`picture ${given[0]}`)
      return services.readPhoto!(...given)
    }
    await worker.run((own) => comparePhotos(own))
    await worker.close()
    await checkInvariants(services.db)

    await services.db.none("update import_item set photos_due_at = now() where match_photos = 'comparing'")
    while ((await comparePhotos(services)) > 0) {}
    expect(await list()).toMatchObject({ comparing: 0, groups: { certain: 2, likely: 0, unsure: 0 } })
    expect(await seller.job(job.id)).toMatchObject({ items_conflicted: 2, items_imported: 0 })
    return worker.crossed
  })
})
