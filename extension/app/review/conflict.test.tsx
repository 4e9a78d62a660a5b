// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleListing } from '#extension/testing/sample-listing.ts'
import { closeScreen, dom, openPopup, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { Listing } from '#shared/listing.ts'

afterEach(closeScreen)

/** A server with a finished import that has one conflict: a listing and an item with the same SKU. */
function withConflict(state: Availability, theirs: Partial<Listing>, says: Partial<ImportItem>) {
  const server = new StandInServer()
  const mine = inventoryItem('ebay', sampleListing(1, { title: 'Cream leather boots', sku: 'A-1', price_minor: 8_500 }))
  mine.record.lifecycle.state = state
  server.inventory.push(mine)
  const job = server.imports.openJob('poshmark', 'samplecloset')
  server.imports.fill(job, [sampleListing(2, { title: 'Cream boots', sku: 'A-1', price_minor: 8_500, ...theirs })])
  Object.assign(job, { status: 'completed', completed_at: new Date().toISOString() })
  const item = job.items[0]!
  const conflict_details = says.conflict_details?.replace('MINE', `"${mine.record.title}" (${mine.uid})`) ?? null
  Object.assign(item, says, { conflict_details })
  return { server, mine, item }
}

async function openConflict(server: StandInServer) {
  const { user } = await openPopup({ server })
  await user.click(await dom.findByRole('button', { name: 'Review' }))
  await user.click(await dom.findByRole('button', { name: /^Compare/ }))
  await dom.findByRole('button', { name: 'Skip' })
  return user
}

const options = () =>
  within(dom.getByRole('region', { name: 'Same item, or two?' }))
    .getAllByRole('button')
    .map((button) => button.textContent)
const row = (name: string) => {
  const cells = within(dom.getByRole('row', { name: new RegExp(`^${name}`) }))
  return [cells.getByRole('rowheader').textContent, ...cells.getAllByRole('cell').map((cell) => cell.textContent)]
}

describe('a conflict', () => {
  it('of an item sold there offers to end its listings everywhere', async () => {
    const { server, item } = withConflict(
      'available',
      { state: 'sold' },
      { conflict_type: 'sold_elsewhere', conflict_details: 'It is sold there, but MINE is available here.' },
    )
    const user = await openConflict(server)
    expect(dom.getByText('It is sold there, but "Cream leather boots" is available here.')).toBeTruthy()
    expect(row('State')).toEqual(['State (differs)', 'Sold', 'Available'])
    expect(options()).toEqual(['It sold: end it everywhere', 'Keep both', 'Link and keep mine for sale', 'Skip'])
    await user.click(dom.getByRole('button', { name: 'It sold: end it everywhere' }))
    await dom.findByText('Nothing left to review.')
    expect(item.resolution).toBe('overwrite')
  })

  it('of an item sold here says that the listing will end', async () => {
    const { server, item } = withConflict(
      'sold',
      {},
      { conflict_type: 'sold_elsewhere', conflict_details: 'It is on offer there, but MINE is sold.' },
    )
    const user = await openConflict(server)
    expect(row('State')).toEqual(['State (differs)', 'Available', 'Sold'])
    expect(options()).toEqual(['Link and end this one', 'Keep both', 'Overwrite my item and end it', 'Skip'])
    await user.click(dom.getByRole('button', { name: 'Link and end this one' }))
    await dom.findByText('Nothing left to review.')
    expect(item.resolution).toBe('link_existing')
  })

  it('about a price names the change and offers no second item', async () => {
    const { server, mine, item } = withConflict(
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
    const user = await openConflict(server)
    expect(dom.getByText(/was \$95\.00 when it was last read/)).toBeTruthy()
    expect(options()).toEqual(['Keep my price', 'Use everything from Poshmark', 'Skip'])
    await user.click(dom.getByRole('button', { name: 'Keep my price' }))
    await dom.findByText('Nothing left to review.')
    expect(item.resolution).toBe('link_existing')
  })

  it('of a listing that sold meanwhile explains the consequences', async () => {
    const { server, item } = withConflict(
      'available',
      { price_minor: 9_900 },
      { conflict_type: 'price_mismatch', conflict_details: 'It costs 99.00 USD there, and MINE 85.00 USD here.' },
    )
    server.imports.since.set(item.id, 'sold')
    await openConflict(server)
    expect(dom.getByText('It has since sold on Poshmark.')).toBeTruthy()
    expect(options()).toEqual([
      'Same item: it sold, end it everywhere',
      'Keep both',
      'Overwrite my item and end it everywhere',
      'Skip',
    ])
  })
})
