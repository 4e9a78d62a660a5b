// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleSale } from '#extension/testing/sample-sale.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { closeScreen, dom, openPage, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import { newId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

afterEach(closeScreen)

const at = new Date().toISOString()
const dayAgo = new Date(Date.now() - 25 * 3_600_000).toISOString()
const finished = (marketplace: PlatformSlug, items_conflicted: number): ImportJob => ({
  ...{ id: newId('job'), marketplace, status: 'completed', total_listings_found: 9, items_imported: 9 },
  ...{ items_skipped: 0, items_failed: 0, items_conflicted, has_issues: items_conflicted > 0, issue_summary: '' },
  ...{ progress_percentage: 100, error_message: null, created_at: at, started_at: at, completed_at: at },
})

it('says nothing before the server has answered', async () => {
  const server = new StandInServer()
  const release = server.hold(/platforms/)
  await openPage({ server, hash: '#home' })
  await dom.findByText('Loading…')
  for (const words of ['All done.', 'Connect a shop', 'Not known yet'])
    expect(dom.queryByText(words, { ignore: '.center *' }), words).toBeNull()
  expect(dom.queryByRole('heading', { name: 'Shops' })).toBeNull()
  await waitFor(() => expect(document.querySelector('.skeleton')).toBeTruthy())
  release()
  await dom.findByRole('heading', { name: 'Connect a shop', level: 2 })
  expect(document.querySelector('.skeleton')).toBeNull()
})

it('has one row for all imports that ask, and none for finished ones', async () => {
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  const jobs = [finished('ebay', 8), { ...finished('etsy', 62), items_failed: 3 }, finished('poshmark', 0)]
  server.answers.set('listImportJobs', () => jobs.map((job) => ({ ...job, created_at: dayAgo })))
  await openPage({ server, hash: '#home' })
  await dom.findByText('70 listings need review')
  dom.getByText('From eBay and Etsy. 3 could not be read.')
  expect(dom.getAllByRole('link', { name: 'Review' }).map((one) => one.getAttribute('href'))).toEqual(['#decisions'])
  expect(dom.queryByRole('heading', { name: 'Imports' })).toBeNull()
})

it('offers the other shops on the day of the first import, after the import', async () => {
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  server.ebay = 'connected'
  server.answers.set('listImportJobs', () => [finished('ebay', 0)])
  await openPage({ server, hash: '#home' })
  await dom.findByRole('link', { name: 'Connect, Etsy' })
  dom.getByText('Poshmark, Mercari, and Depop')
  expect(dom.queryByRole('button', { name: 'Import now, eBay' })).toBeNull()
  expect(dom.queryByRole('link', { name: 'Import a file' })).toBeNull()
  dom.getByText('9 imported')
  dom.getByRole('button', { name: 'See items, eBay' })
})

it('keeps a finished import that could not read all, and no other one', async () => {
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  const jobs = [finished('ebay', 0), { ...finished('etsy', 0), items_failed: 3 }]
  server.answers.set('listImportJobs', () => jobs.map((job) => ({ ...job, created_at: dayAgo })))
  const { user } = await openPage({ server, hash: '#home' })
  await dom.findByText('9 imported, 3 could not be read')
  expect(dom.queryByText('9 imported')).toBeNull()
  await user.click(dom.getByRole('button', { name: 'Review, Etsy' }))
  await waitFor(() => expect(location.hash).toMatch(/^#imports\/job_/))
})

it('offers a newcomer an item and a file, too', async () => {
  await openPage({ server: new StandInServer(), hash: '#home' })
  expect((await dom.findByRole('link', { name: 'Add an item by hand' })).getAttribute('href')).toBe('#new')
  expect(dom.getByRole('link', { name: 'Import a file' }).getAttribute('href')).toBe('#files')
})

it('offers the other connected shops once one is imported', async () => {
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  server.ebay = 'connected'
  server.answers.set('listImportJobs', () => [{ ...finished('poshmark', 0), created_at: dayAgo }])
  await openPage({ server, hash: '#home' })
  await dom.findByRole('button', { name: 'Import now, eBay' })
  for (const words of ['All done.', 'Get extension', 'Poshmark, Mercari, and Depop'])
    expect(dom.queryByText(words), words).toBeNull()
  for (const jobs of [[finished('ebay', 0), { ...finished('poshmark', 0), created_at: dayAgo }], []]) {
    await closeScreen()
    server.answers.set('listImportJobs', () => jobs)
    await openPage({ server, hash: '#home' })
    await dom.findByText('All done.')
    expect(dom.queryByRole('button', { name: 'Import now, eBay' })).toBeNull()
  }
})

it('has one look and one place for the first action of each row', async () => {
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  const dismiss = { action: 'dismiss', url: null } as const
  const open = (action: 'open_order' | 'open_listing') => ({ action, url: 'https://www.etsy.com/1' }) as const
  server.alerts.push(
    sampleAlert({ kind: 'oversell', actions: [open('open_order'), dismiss] }),
    sampleAlert({ actions: [{ action: 'retry', url: null }, open('open_listing'), dismiss] }),
  )
  server.answers.set('listImportJobs', () => [finished('ebay', 8)])
  await openPage({ server, hash: '#home' })
  await dom.findByText('8 listings need review')
  await waitFor(() => expect(document.querySelectorAll('.home .alert')).toHaveLength(2))
  const rows = [...document.querySelectorAll('[aria-labelledby="needs-you"] .rows > li')]
  expect(rows.map((row) => row.lastElementChild?.textContent)).toEqual(['Open order', 'Retry now', 'Review'])
  for (const { lastElementChild: last } of rows)
    expect(last?.tagName === 'BUTTON' ? last.className : last?.className).toBe(last?.tagName === 'A' ? 'button' : '')
})

it('shows the first of many forms, which leads to the others', async () => {
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  server.tasks.push(...Array.from({ length: 12 }, (_, n) => sampleTask({ kind: 'list', title: `Coat ${n}` })))
  const { user } = await openPage({ server, hash: '#home' })
  const more = await dom.findByRole('button', { name: 'Show 11 more' })
  expect(dom.getAllByRole('button', { name: /^Open form/ })).toHaveLength(1)
  await user.click(more)
  expect(dom.getAllByRole('button', { name: /^Open form/ })).toHaveLength(12)
})

it.each(['#review', '#item', '#item/new', '#nonsense/1'])('says that an address has no page: %s', async (hash) => {
  await openPage({ hash })
  await dom.findByText('There is no page at this address.')
})

it('shows a sale of which only a mail told, among the sales too', async () => {
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  const { order_uid, inventory_item_uid, title, image, price_minor, currency } = sampleSale({ title: 'Silk dress' })
  const item = { order_uid, inventory_item_uid, title, image, price_minor, currency }
  server.heldSales.push({ ...item, platform: 'poshmark', sold_at: at })
  for (const [hash, heading] of [
    ['#home', 'Sold'],
    ['#sales', 'Not confirmed yet'],
  ] as const) {
    await openPage({ server, hash })
    const part = await dom.findByRole('region', { name: new RegExp(heading) })
    await within(part).findByRole('link', { name: 'Silk dress' })
    expect(part.textContent).toContain('Sold on Poshmark for $85.00. Told by a mail. Held until Poshmark shows it.')
    for (const words of ['Nothing yet', 'No sales in this period']) expect(dom.queryByText(words), words).toBeNull()
    await closeScreen()
  }
})

it('still shows on a Monday what was sold on Sunday', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 30, 0, 5) })
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  const sold_at = new Date(2026, 10, 29, 23, 58).toISOString()
  const since = (from: string | undefined) => (from! <= sold_at ? [sampleSale({ title: 'Late coat', sold_at })] : [])
  server.answers.set('listSales', ({ query }) => ({ results: since(query.from), held: [], next_cursor: null }))
  server.answers.set('getSalesTotals', ({ query }) => {
    const amounts = since(query.from).map(({ price_minor, currency }) => ({ price_minor, currency, sales: 1 }))
    return { sales: amounts.length, amounts }
  })
  await openPage({ server, hash: '#home' })
  await dom.findByText('Late coat')
  expect(document.querySelector('.figures')?.textContent).toMatch(/^TodayNothing yetLast 7 days\$85\.00 1 sale$/)
})
