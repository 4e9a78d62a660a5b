import { afterEach, expect, it } from 'vitest'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleListing } from '#extension/testing/sample-listing.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { Listing } from '#shared/listing.ts'
import { checkState, type Fixture, named, prepareFixtures, signIn } from './fixture.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.signOutAll)

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
  return item
}

/** Kinds of conflict, each with a look of its own. */
const kinds = [
  {
    name: 'conflict-sold-there',
    state: 'available',
    theirs: { state: 'sold' },
    says: { conflict_type: 'sold_elsewhere', conflict_details: 'It is sold there, but MINE is available here.' },
  },
  {
    name: 'conflict-sold-here',
    state: 'sold',
    theirs: {},
    says: { conflict_type: 'sold_elsewhere', conflict_details: 'It is on offer there, but MINE is sold.' },
  },
  {
    name: 'conflict-price',
    state: 'available',
    theirs: { price_minor: 9_900 },
    says: { conflict_type: 'price_mismatch', conflict_details: 'It costs 99.00 USD there, and MINE 85.00 USD here.' },
  },
] as const

it.each(kinds)('is accessible and decided side by side: $name', async ({ name, state, theirs, says }) => {
  const fixture = await fixtures.start()
  const { server } = fixture.hapax
  const item = fill(fixture, state, theirs, says)
  if (name === 'conflict-price') server.imports.since.set(item.id, 'sold')
  const popup = await signIn(fixture)
  await popup.locator(named('button', 'Review')).click()
  await popup.locator('.rows button').click()
  await popup.waitForSelector('.choices')
  await checkState(popup, name)
  await popup.locator('.choices .main').click()
  await popup.waitForSelector('::-p-text(Nothing left to review.)')
  expect(item.status).not.toBe('conflict')
  expect(fixture.chrome.errors).toEqual([])
})
