// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleShipment } from '#extension/testing/sample-shipment.ts'
import { closeScreen, dom, openPage, reads, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { Shipment } from '#shared/contract/selling/shipments.ts'

afterEach(closeScreen)

function withOrders(...orders: Shipment[]) {
  const server = new StandInServer()
  server.shipments.push(...orders)
  return server
}

const bodyOf = (server: StandInServer, operation: string) =>
  server.requests.find((request) => request.operation === operation)?.body

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

it('shows where each thing is, until when, and what the buyer wrote', async () => {
  const server = withOrders(
    sampleShipment(
      { ship_by: day(-1), buyer_note: 'No plastic, please.' },
      { title: 'Leica M3', storage_location: 'Bin 12' },
    ),
    sampleShipment(
      { ship_by: null, platform: 'poshmark', external_order_id: null, told_by: 'mail' },
      { storage_location: null },
    ),
  )
  await openPage({ server, hash: '#to-ship' })
  const late = await dom.findByText(/^Late, due /)
  expect(late.className).toBe('bad')
  dom.getByRole('link', { name: 'Sales', current: true })
  dom.getByText('Bin 12')
  dom.getByText('Buyer’s note: No plastic, please.')
  dom.getByText('No date given ·', { exact: false })
  expect(dom.queryByText('No location')).toBeNull()
  dom.getByText('Told by a mail, not confirmed yet.')
  expect(dom.getByRole('link', { name: /eBay order 06/ }).getAttribute('href')).toContain(
    'https://www.ebay.com/sh/ord/',
  )
})

it('sends tracking, and says before that eBay cannot be untold', async () => {
  const server = withOrders(sampleShipment(), sampleShipment({}, { title: 'Leica M3' }))
  const { user } = await openPage({ server, hash: '#to-ship' })
  await user.click(await dom.findByRole('button', { name: 'Shipped…, Wool coat, green' }))
  dom.getByText(/eBay and the buyer are told after 20 seconds\. .* afterwards only on eBay\./)
  await user.type(dom.getByLabelText('Tracking number'), '1Z 999 AA1 01 2345 6784')
  expect(dom.getByLabelText<HTMLSelectElement>('Carrier').value).toBe('ups')
  await user.keyboard('{Enter}')
  await dom.findByText(/^(Telling eBay…|Marked as shipped\. eBay is told in a few seconds\.) UPS 1Z999AA10123456784$/)
  expect(bodyOf(server, 'markShipped')).toEqual({ carrier: 'ups', tracking_number: '1Z999AA10123456784' })
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Shipped…, Leica M3'))
})

it('stays in its place with Undo until the marketplace shows it', async () => {
  const [first, second] = [sampleShipment(), sampleShipment({}, { title: 'Leica M3' })]
  const server = withOrders(first, second)
  const { user } = await openPage({ server, hash: '#to-ship' })
  await user.click(await dom.findByRole('button', { name: 'Shipped…, Wool coat, green' }))
  await user.click(dom.getByRole('button', { name: 'Mark as shipped' }))
  const undo = await dom.findByRole('button', { name: 'Undo shipped, Wool coat, green' })
  const rows = within(dom.getByRole('region', { name: 'To ship' })).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent.includes('Wool coat'))).toEqual([true, false])
  await user.click(undo)
  await dom.findByRole('button', { name: 'Shipped…, Wool coat, green' })
  await user.click(dom.getByRole('button', { name: 'Shipped…, Wool coat, green' }))
  await user.click(dom.getByRole('button', { name: 'Mark as shipped' }))
  await dom.findByRole('button', { name: 'Undo shipped, Wool coat, green' })
  Object.assign(first, { state: 'shipped', confirmed_at: new Date().toISOString(), can_undo: false, tells_at: null })
  await reads(/eBay shows it as shipped/)
})

it('refuses a number that no label has', async () => {
  const server = withOrders(sampleShipment())
  const { user } = await openPage({ server, hash: '#to-ship' })
  await user.click(await dom.findByRole('button', { name: /^Shipped…/ }))
  await user.type(dom.getByLabelText('Tracking number'), 'a_b')
  await user.click(dom.getByRole('button', { name: 'Mark as shipped' }))
  dom.getByText('Enter the number as on the label: letters and digits.')
  expect(bodyOf(server, 'markShipped')).toBeUndefined()
})

it('says why a marketplace refused, and what to do about a lost connection', async () => {
  const problem = { code: 'platform_failed', message: 'Etsy refused the parcel of an order.' } as const
  const server = withOrders(
    sampleShipment({ platform: 'etsy', problem }),
    sampleShipment({ platform: 'etsy', needs_reconnect: true }, { title: 'Leica M3' }),
  )
  const { user } = await openPage({ server, hash: '#to-ship' })
  await dom.findByText('Etsy refused the parcel of an order.')
  dom.getByRole('link', { name: 'Reconnect to send tracking, Etsy' })
  await user.click(dom.getByRole('button', { name: /^Shipped…/ }))
  dom.getByText('For orders above $10 within the United States, Etsy wants a tracking number.')
})

it('prints the pick list by place, and slips of the selected orders', async () => {
  const server = withOrders(
    sampleShipment({}, { storage_location: 'Shelf 10', title: 'Coat' }),
    sampleShipment({}, { storage_location: null, title: 'Book' }),
    sampleShipment({ buyer_note: 'Gift for Ada.' }, { storage_location: 'Shelf 2', title: 'Camera' }),
  )
  // The simulated window cannot print.
  const print = vi.fn()
  Object.assign(window, { print })
  const { user } = await openPage({ server, hash: '#to-ship' })
  await user.click(await dom.findByRole('checkbox', { name: 'Select Camera' }))
  const slips = dom.getByRole('link', { name: 'Print slip of 1' })
  location.hash = slips.getAttribute('href')!
  await dom.findByRole('heading', { name: 'Packing slip' })
  dom.getByText('Buyer’s note: Gift for Ada.')
  expect(dom.queryByText('Coat')).toBeNull()
  location.hash = '#to-ship/pick'
  await dom.findByRole('heading', { name: 'Pick list' })
  expect(dom.getAllByRole('row').map((row) => /Shelf \d+|No location/.exec(row.textContent)?.[0])).toEqual([
    undefined,
    ...['Shelf 2', 'Shelf 10', 'No location'],
  ])
  await user.click(dom.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
})

it('stands on the first screen, red when late', async () => {
  const server = withOrders(sampleShipment(), sampleShipment({ ship_by: day(-2) }))
  server.inventory.push(...sampleInventory(1))
  await openPage({ server, hash: '#home' })
  await dom.findByText('2 orders to ship')
  expect(dom.getByText('1 is late').className).toBe('bad')
  expect(dom.getByRole('link', { name: 'To ship' }).getAttribute('href')).toBe('#to-ship')
})

it('says that nothing is to be shipped', async () => {
  await openPage({ hash: '#to-ship' })
  await dom.findByRole('heading', { name: 'Nothing to ship' })
})
