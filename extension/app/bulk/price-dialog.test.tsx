// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

const listing = (platform: 'ebay' | 'etsy', more: object = {}) => ({
  ...{ platform, listing_id: `${platform}-1`, url: 'https://example.com/', state: 'available' as const },
  ...{ price_minor: 1_000, currency: 'USD', ...more },
})

it('shows the whole table, with each platform’s price and what stays', async () => {
  const server = new StandInServer()
  const titles = Array.from({ length: 30 }, (_, n) => `Coat ${n}`)
  const sale = { price_minor: 700, currency: 'USD' }
  const special: Record<number, object> = { 1: { format: 'auction' }, 2: { sale } }
  for (const [n, title] of titles.entries()) {
    const listings = [listing('ebay', special[n]), ...(n === 0 ? [listing('etsy')] : [])]
    const item = sampleItem(n, { listings })
    Object.assign(item.record, { title })
    item.record.lifecycle.state = 'available'
    item.record.offer.price_minor = 1_000
    server.inventory.push(item)
  }
  server.answers.set('getSettings', () => ({
    ...{ shipping_policy_url: null, returns_policy_url: null, default_currency: null, sku_required: false },
    ...{ alert_mails: [], push_kinds: [], price_rules: { etsy: { basis_points: 1_000, rounding: 'none' } } },
  }))
  const { user } = await openPage({ server, hash: '#inventory' })
  await dom.findByText('30 of 30')
  await user.click(dom.getByRole('checkbox', { name: 'Select all shown' }))
  await user.click(await dom.findByRole('button', { name: 'Change price…' }))
  const dialog = within(dom.getByRole('dialog'))
  await user.type(dialog.getByLabelText('Percent, such as -20 or 5'), '-20')
  const row = (await dialog.findByText('Coat 0')).closest('tr')!
  expect([...row.children].map((cell) => cell.textContent)).toEqual(['Coat 0', '$10.00', '$8.00', '$8.00', '$8.80'])
  expect(dialog.getAllByRole('row')).toHaveLength(30)
  const ending = dialog.getByText('Revising the price ends the sale on eBay.')
  expect(ending.closest('tr')!.firstElementChild?.textContent).toBe('Coat 2')
  expect(dialog.getByText('1 item keeps its price')).toBeTruthy()
  expect(dialog.getByText('Left out: bidders decide the price of an auction.').parentElement?.textContent).toMatch(
    /^Coat 1 /,
  )
  expect(dialog.getByRole('button', { name: 'Change 29 prices' })).toBeTruthy()
})
