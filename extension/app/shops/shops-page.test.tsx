// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest'
import { closeScreen, dom, openPage, reads } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import { newId } from '#shared/identity.ts'

afterEach(async () => {
  await closeScreen()
  delete document.documentElement.dataset.hapaxExtension
})

const offers = () => dom.queryAllByRole('link', { name: 'Get extension' }).length
const closets = () => dom.queryAllByRole('link', { name: /^Open, / }).map((one) => one.getAttribute('aria-label'))
const announced = () => {
  document.documentElement.dataset.hapaxExtension = ''
  document.dispatchEvent(new Event('hapax-extension'))
}

describe.each(['#shops', '#home'])('the offer of the extension at %s', (hash) => {
  it('is made in a browser without it', async () => {
    await openPage({ hash, isWeb: true })
    await reads('These need the browser extension')
    expect([offers(), closets()]).toEqual([1, []])
  })

  it('goes away when the extension announces itself', async () => {
    await openPage({ hash, isWeb: true })
    await reads('These need the browser extension')
    announced()
    await reads(hash === '#shops' ? 'Open it and press' : 'Open your closet there and press')
    expect(offers()).toBe(0)
    expect(document.body.textContent).not.toContain('These need the browser extension')
  })

  it('is not made where the extension has announced itself before', async () => {
    announced()
    await openPage({ hash, isWeb: true })
    await reads(hash === '#shops' ? 'Open it and press' : 'Open your closet there and press')
    expect(offers()).toBe(0)
  })
})

it('leads to the closets where the extension is', async () => {
  announced()
  await openPage({ hash: '#shops', isWeb: true })
  await reads('Open it and press')
  expect(closets()).toEqual(['Open, Poshmark', 'Open, Mercari', 'Open, Depop'])
})

it('lists each shop once, with its last import and a menu to disconnect it', async () => {
  const server = new StandInServer()
  server.ebay = 'connected'
  const at = new Date().toISOString()
  const { answers } = server
  answers.set('listSellerAccounts', () => [
    {
      ...{ uid: 'sel_0000000000000000000001', platform: 'ebay', external_id: 'vera', external_name: 'vintage_vera' },
      ...{ status: 'connected', connected_at: at, last_synced_at: at },
    },
  ])
  answers.set('listImportJobs', () => [
    {
      ...{ id: newId('job'), marketplace: 'ebay', status: 'completed', total_listings_found: 262, items_imported: 259 },
      ...{ items_skipped: 0, items_failed: 3, items_conflicted: 0, has_issues: true, issue_summary: '' },
      ...{ progress_percentage: 100, error_message: null, created_at: at, started_at: at, completed_at: at },
    },
  ])
  const { user } = await openPage({ server, hash: '#shops', isWeb: true })
  await dom.findByText(/^Last import just now: 259 added, 3 could not be read\./)
  expect(dom.getAllByText('eBay')).toHaveLength(1)
  await user.click(dom.getByRole('button', { name: 'More, eBay' }))
  await user.click(dom.getByRole('button', { name: 'Disconnect vintage_vera' }))
  await dom.findByText('Disconnect vintage_vera on eBay?')
})
