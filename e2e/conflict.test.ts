import { afterEach, describe, expect, it } from 'vitest'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleListing } from '#extension/testing/sample-listing.ts'
import type { ImportItem } from '#shared/contract/imports.ts'
import type { Availability } from '#shared/inventory-record.ts'
import type { Listing } from '#shared/listing.ts'
import { checkState, type Fixture, named, prepareFixtures, signIn } from './fixture.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.closeAll)

/** Inserts a finished import with one conflict: a listing and an item with the same SKU. */
function fill({ hapax }: Fixture, state: Availability, theirs: Partial<Listing>, says: Partial<ImportItem>) {
  const mine = inventoryItem('ebay', sampleListing(1, { title: 'Cream leather boots', sku: 'A-1', price_minor: 8_500 }))
  mine.record.lifecycle.state = state
  hapax.server.inventory.push(mine)
  const job = hapax.server.imports.openJob('poshmark', 'samplecloset')
  hapax.server.imports.fill(job, [
    sampleListing(2, { title: 'Cream boots', sku: 'A-1', price_minor: 8_500, ...theirs }),
  ])
  job.status = 'completed'
  job.completed_at = new Date().toISOString()
  const item = job.items[0]!
  const conflict_details = says.conflict_details?.replace('MINE', `"${mine.record.title}" (${mine.uid})`) ?? null
  Object.assign(item, says, { conflict_details })
  return { mine, item }
}

async function openConflict(fixture: Fixture) {
  const popup = await signIn(fixture)
  await popup.locator(named('button', 'Review')).click()
  await popup.locator('.rows button').click()
  await popup.waitForSelector('.choices')
  const buttons = () => popup.$$eval('.choices button', (all) => all.map((one) => one.textContent))
  const row = (name: string) =>
    popup.$$eval(
      '.compare tbody tr',
      (rows, head) =>
        rows.flatMap((one) =>
          one.querySelector('th')?.textContent?.startsWith(head)
            ? [{ cells: [...one.querySelectorAll('td')].map((cell) => cell.textContent), marked: one.className }]
            : [],
        )[0],
      name,
    )
  return { popup, buttons, row }
}

describe('a conflict', () => {
  it('of an item sold there offers to end its listings everywhere', async () => {
    const fixture = await fixtures.start()
    const { item } = fill(
      fixture,
      'available',
      { state: 'sold' },
      { conflict_type: 'sold_elsewhere', conflict_details: 'It is sold there, but MINE is available here.' },
    )
    const { popup, buttons, row } = await openConflict(fixture)
    await popup.waitForSelector('::-p-text(It is sold there, but "Cream leather boots" is available here.)')
    expect(await row('State')).toEqual({ cells: ['Sold', 'Available'], marked: 'differs' })
    expect(await buttons()).toEqual(['It sold: end it everywhere', 'Keep both', 'Link and keep mine for sale', 'Skip'])
    await checkState(popup, 'conflict-sold-there')
    await popup.locator('.choices .main').click()
    await popup.waitForSelector('::-p-text(Nothing left to review.)')
    expect(item.resolution).toBe('overwrite')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('of an item sold here says that the listing will end', async () => {
    const fixture = await fixtures.start()
    const { item } = fill(
      fixture,
      'sold',
      {},
      { conflict_type: 'sold_elsewhere', conflict_details: 'It is on offer there, but MINE is sold.' },
    )
    const { popup, buttons, row } = await openConflict(fixture)
    expect(await row('State')).toEqual({ cells: ['Available', 'Sold'], marked: 'differs' })
    expect(await buttons()).toEqual(['Link and end this one', 'Keep both', 'Overwrite my item and end it', 'Skip'])
    await checkState(popup, 'conflict-sold-here')
    await popup.locator('.choices .main').click()
    await popup.waitForSelector('::-p-text(Nothing left to review.)')
    expect(item.resolution).toBe('link_existing')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('about a price names the change and offers no second item', async () => {
    const fixture = await fixtures.start()
    const { mine, item } = fill(
      fixture,
      'available',
      {},
      {
        conflict_type: 'price_mismatch',
        conflict_details: "The listing's price was 95.00 USD when it was last read and is 85.00 USD now.",
      },
    )
    const { url } = sampleListing(2)
    const was = { price_minor: 9_500, currency: 'USD' }
    mine.listings?.push({ platform: 'poshmark', listing_id: 'p-2', url, state: 'available', ...was })
    const { popup, buttons } = await openConflict(fixture)
    await popup.waitForSelector('::-p-text(was 95.00 USD when it was last read)')
    expect(await buttons()).toEqual(['Keep my price', 'Use everything from Poshmark', 'Skip'])
    await checkState(popup, 'conflict-price')
    await popup.locator('.choices .main').click()
    await popup.waitForSelector('::-p-text(Nothing left to review.)')
    expect(item.resolution).toBe('link_existing')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('of a listing that sold meanwhile explains the consequences', async () => {
    const fixture = await fixtures.start()
    const { item } = fill(
      fixture,
      'available',
      { price_minor: 9_900 },
      { conflict_type: 'price_mismatch', conflict_details: 'It costs 99.00 USD there, and MINE 85.00 USD here.' },
    )
    fixture.hapax.server.imports.since.set(item.id, 'sold')
    const { popup, buttons } = await openConflict(fixture)
    await popup.waitForSelector('::-p-text(It has since sold on Poshmark.)')
    await checkState(popup, 'conflict-sold-since')
    expect(await buttons()).toEqual([
      'Same item: it sold, end it everywhere',
      'Keep both',
      'Overwrite my item and end it everywhere',
      'Skip',
    ])
    expect(fixture.chrome.errors).toEqual([])
  })
})
