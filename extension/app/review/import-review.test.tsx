// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleListing } from '#extension/testing/sample-listing.ts'
import { closeScreen, dom, openPage, openPopup, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

const table = () => dom.findByRole('grid', { name: 'Listings of the import' })
const rowCount = async () => Number((await table()).getAttribute('aria-rowcount')) - 1

describe('the review of an import', () => {
  it('shows every result and links to the conflict', async () => {
    const server = new StandInServer()
    server.inventory.push(...sampleInventory(5))
    const job = server.imports.openJob('poshmark', 'samplecloset')
    const listings = Array.from({ length: 12 }, (_, n) =>
      sampleListing(n, n === 7 ? { sku: server.inventory[0]!.sku ?? '' } : {}),
    )
    server.imports.fill(job, listings, [
      {
        listing_id: 'p-x',
        url: 'https://poshmark.com/listing/p-x',
        title: 'Broken one',
        error_code: 'page_changed',
        error_message: 'page changed: price',
      },
    ])
    const { user } = await openPage({ server, hash: '#imports' })
    const result = () => dom.getByRole('combobox', { name: 'Result' })
    // The listings that are left to do come first.
    await dom.findByText('Needs review: Two items, one SKU')
    expect(await rowCount()).toBe(1)
    await user.selectOptions(result(), 'any')
    await dom.findAllByText('In your inventory')
    expect(await rowCount()).toBe(13)
    expect(dom.getByText('Not imported: The page changed')).toBeTruthy()
    expect(dom.getByRole('link', { name: 'Open listing' }).getAttribute('href')).toBe(
      'https://poshmark.com/listing/p-x',
    )
    await user.selectOptions(result(), 'conflict')
    await waitFor(async () => expect(await rowCount()).toBe(1))
    expect(dom.getByText('Needs review: Two items, one SKU')).toBeTruthy()
    ;(await table()).focus()
    await user.keyboard('{Enter}')
    // The item is live there already, so linking is asked about.
    await dom.findByText('This item is already live on Poshmark.')
    await user.click(dom.getByRole('button', { name: 'Same item: link them' }))
    await user.click(dom.getByRole('button', { name: 'Link them anyway' }))
    await waitFor(() =>
      expect(job.items.find((item) => item.external_listing_id === 'p-7')?.resolution).toBe('link_existing'),
    )
  })

  it('marks auctions as not protected', async () => {
    const server = new StandInServer()
    const job = server.imports.openJob('poshmark', 'samplecloset')
    server.imports.fill(job, [sampleListing(1), sampleListing(2)])
    job.items[1]!.note = 'Auction: not protected. It can sell there a second time.'
    await openPage({ server, hash: '#imports' })
    const mark = await dom.findByText('Auction: not protected')
    expect(mark.title).toContain('a second time')
    expect(dom.getAllByText('Auction: not protected')).toHaveLength(1)
  })

  it('says that no listing has the chosen result', async () => {
    const server = new StandInServer()
    server.imports.fill(server.imports.openJob('poshmark', 'samplecloset'), [sampleListing(1)])
    const { user } = await openPage({ server, hash: '#imports' })
    await table()
    await user.selectOptions(dom.getByRole('combobox', { name: 'Result' }), 'failed')
    await dom.findByText('No listings match.')
  })

  it('stays when dismissed in the popup', async () => {
    const { server, jobs } = twoImports()
    const { user } = await openPopup({ server })
    await user.click((await dom.findAllByRole('button', { name: 'Dismiss the Poshmark import' }))[0]!)
    await waitFor(() => expect(dom.queryByRole('button', { name: 'Dismiss the Poshmark import' })).toBeNull())
    await openPage({ server, hash: `#imports/${jobs[0]!.id}` })
    await dom.findByText('Older coat')
    await user.selectOptions(dom.getByRole('combobox', { name: 'Imports' }), jobs[1]!.id)
    await dom.findByText('Newer coat')
  })

  it('reports a deleted import and leads to the newest', async () => {
    const { server } = twoImports()
    await openPage({ server, hash: '#imports/imp_0000000000000000000000' })
    await dom.findByRole('heading', { name: 'This import is no longer available' })
    expect(dom.queryByRole('grid', { name: 'Listings of the import' })).toBeNull()
    expect(dom.getByRole('link', { name: 'View the newest import' }).getAttribute('href')).toBe('#imports')
  })

  it('explains that there is none yet', async () => {
    await openPage({ hash: '#imports' })
    await dom.findByRole('heading', { name: 'No imports yet' })
  })
})

/** Two finished imports of one shop, the older one first. */
function twoImports() {
  const server = new StandInServer()
  const jobs = ['Older coat', 'Newer coat'].map((title, n) => {
    const job = server.imports.openJob('poshmark', 'samplecloset')
    server.imports.fill(job, [sampleListing(n, { title })])
    return Object.assign(job, { status: 'completed', completed_at: new Date().toISOString() })
  })
  return { server, jobs }
}
