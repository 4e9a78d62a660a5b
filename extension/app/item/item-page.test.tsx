// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleShipment } from '#extension/testing/sample-shipment.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { closeScreen, dom, openPage, shown, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

/** A server with three items, the first of which is listed on eBay and Poshmark. */
function threeItems(): StandInServer {
  const server = new StandInServer()
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(3))
  return server
}

const button = (name: string) => dom.findByRole('button', { name })
const dialog = () => within(dom.getByRole('dialog'))

describe('an item', () => {
  it('shows pictures, record, listings, tasks and history', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    item.listings![1]!.price_minor += 500
    item.description = '<script>document.title = 1</script>\nA line below.'
    server.selling.change(item, 'reserved')
    server.tasks.push(sampleTask({ inventory_item_uid: item.uid, platform: 'depop', kind: 'list' }))
    await openPage({ server, hash: `#item/${item.uid}` })
    expect(await dom.findByText('Available → Reserved')).toBeTruthy()
    expect(dom.getByRole('heading', { level: 1 }).textContent).toBe(item.record.title)
    expect(dom.getByText('Listed at $14.00')).toBeTruthy()
    const pictures = dom.getAllByRole('img', { name: /^Picture \d of 3$/ })
    expect(pictures.map((one) => one.getAttribute('src'))).toEqual(item.record.images)
    expect(dom.getByText(/A line below\./).innerHTML).not.toContain('<script')
    expect(document.title).toBe('Hapax')
    expect(dom.getByText('List it on Depop')).toBeTruthy()
  })

  it('keeps a dialog pressed right after its address opened one', async () => {
    const server = threeItems()
    const { uid } = server.inventory[0]!
    await openPage({ server, hash: `#item/${uid}` })
    const sold = await button('Mark sold…')
    const isRead = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
    location.hash = `item/${uid}/list`
    await isRead
    await shown()
    sold.click()
    await dom.findByRole('dialog', { name: /sold/ })
    // Also after everything that the address began.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(dom.getByRole('dialog', { name: /sold/ })).toBeTruthy()
  })

  it('shows at what price a sale event offers it, until its end', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    const ends_at = new Date(Date.now() + 86_400_000).toISOString()
    item.listings![0]!.sale = { price_minor: 650, currency: 'USD', ends_at }
    item.listings![1]!.sale = { price_minor: 600, currency: 'USD', ends_at: new Date(Date.now() - 1_000).toISOString() }
    await openPage({ server, hash: `#item/${item.uid}` })
    expect(await dom.findByText(/^On sale at eBay for \$6\.50 until .+\.$/)).toBeTruthy()
    expect(dom.queryByText(/On sale at Poshmark/)).toBeNull()
  })

  it('shows measurements and particulars by their names', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    Object.assign(item.attributes, { particulars: { garment_length: 700, length: 300, mount: 'Canon EF' } })
    await openPage({ server, hash: `#item/${item.uid}` })
    const factOf = async (name: string) => (await dom.findByText(name)).parentElement?.querySelector('dd')?.textContent
    expect([await factOf('Garment length'), await factOf('Length'), await factOf('Mount')]).toEqual([
      '27.56 in',
      '11.81 in',
      'Canon EF',
    ])
  })

  it('shows each flaw once, with its photo', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    const photo = item.record.images[1]!
    item.record.condition.notes = 'Worn twice.\nFlaw: Stain on cuff'
    Object.assign(item.attributes, { flaws: [{ text: 'Stain on cuff', photo }] })
    await openPage({ server, hash: `#item/${item.uid}` })
    const flaws = (await dom.findByText('Flaws')).parentElement!
    expect(flaws.querySelector('dd')?.textContent).toBe('Stain on cuff')
    expect(flaws.querySelector('img')?.getAttribute('src')).toBe(photo)
    expect(dom.getByText(/Worn twice\./).textContent).not.toContain('Flaw')
  })

  it('asks again at news, without waiting for the inventory', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    await openPage({ server, hash: `#item/${item.uid}` })
    await dom.findByRole('heading', { level: 1, name: item.record.title })
    server.faults.push({ operation: 'listInventory', code: 'hang', times: 9 })
    server.selling.change(item, 'sold')
    server.stream.publish('sale.recorded')
    await dom.findByText('Available → Sold')
    expect(document.querySelector('.lead .state')?.textContent).toBe('Sold')
  })

  it('enlarges a picture, and turns to the others by keys and buttons', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    const { user } = await openPage({ server, hash: `#item/${item.uid}` })
    await user.click(await button('Picture 2 of 3'))
    const shown = () => dialog().getByRole('img').getAttribute('src')
    expect([dialog().getByRole('heading').textContent, shown()]).toEqual(['Picture 2 of 3', item.record.images[1]])
    await user.click(dialog().getByRole('button', { name: 'Next' }))
    expect(shown()).toBe(item.record.images[2])
    await user.keyboard('{ArrowRight}{ArrowLeft}')
    expect(shown()).toBe(item.record.images[1])
    const picture = dialog().getByRole('button', { name: 'Enlarge' })
    picture.focus()
    await user.keyboard('{Enter}')
    expect(picture.getAttribute('aria-pressed')).toBe('true')
    await user.click(dialog().getByRole('button', { name: 'Close' }))
    expect(dom.queryByRole('dialog')).toBeNull()
  })

  it('says which listing is not protected', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    item.listings![0]!.note = 'Auction: not protected (3 bids).'
    await openPage({ server, hash: `#item/${item.uid}` })
    await dom.findByText('Auction: not protected (3 bids).')
  })

  it('says amounts in one form, and one sentence mark before the actor', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    const reason = 'Edited on eBay. The limit went from 49.99 USD to 119.99 USD, to fit the new price.'
    const entry = { version: 2, at: item.updated_at, actor: 'user' as const, reason, reference: null }
    server.history.set(item.uid, [{ ...entry, from_state: 'available', to_state: 'available' }])
    await openPage({ server, hash: `#item/${item.uid}` })
    await dom.findByText('Edited on eBay. The limit went from $49.99 to $119.99, to fit the new price, by you')
  })

  it('calls a draft a draft until it goes on sale, and what is taken off sale paused', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    const entry = { at: item.updated_at, actor: 'user' as const, reason: 'By hand', reference: null }
    server.history.set(item.uid, [
      { ...entry, version: 4, from_state: 'withdrawn', to_state: 'available' },
      { ...entry, version: 3, from_state: 'available', to_state: 'withdrawn' },
      { ...entry, version: 2, from_state: 'withdrawn', to_state: 'available' },
      { ...entry, version: 1, from_state: null, to_state: 'withdrawn' },
    ])
    await openPage({ server, hash: `#item/${item.uid}` })
    await dom.findByText('Draft → Available')
    const history = within(dom.getByRole('region', { name: 'History' }))
    expect(history.getAllByText(/^(Draft|Paused|Available)/).map((line) => line.textContent)).toEqual([
      'Paused → Available',
      'Available → Paused',
      'Draft → Available',
      'Draft',
    ])
  })

  it('names the witness of a sale and what followed on each marketplace', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    const asked_at = '2026-11-02T10:00:00.000Z'
    const listing = { listing_id: '1', asked_at }
    server.history.set(item.uid, [
      {
        ...{
          version: 2,
          at: asked_at,
          actor: 'sale',
          from_state: 'available',
          to_state: 'sold',
          reason: 'Sold on eBay',
        },
        ...{ reference: null, witness: 'api', marketplace: 'ebay', ordered_at: null },
        followed: [
          { ...listing, marketplace: 'etsy', by: 'api', state: 'ended', ended_at: '2026-11-02T10:00:04.000Z' },
          { ...listing, marketplace: 'poshmark', by: 'seller', state: 'ended', ended_at: '2026-11-02T10:02:00.000Z' },
          { ...listing, marketplace: 'depop', by: 'seller', state: 'ending', ended_at: null },
        ],
      },
    ])
    await openPage({ server, hash: `#item/${item.uid}` })
    const told = await dom.findByText('Available → Sold')
    expect(told.closest('li')?.textContent).toContain('Sold on eBayeBay')
    expect(dom.getAllByText(/ after | for you /).map((line) => line.textContent)).toEqual([
      'Ended on Etsy after 4 sec',
      'Ended on Poshmark by you after 2 min',
      'Waits for you on Depop',
    ])
  })

  it('shows what was read last while the server is unreachable', async () => {
    const server = threeItems()
    const { reload } = await openPage({ server, hash: `#item/${server.inventory[0]!.uid}` })
    await dom.findByText('No history yet.')
    server.faults.push({ operation: 'getInventoryItem', code: 'network', times: 1_000 })
    reload()
    await dom.findByText('Offline. Showing the item as last read.')
    expect(dom.getByRole('heading', { level: 1 }).textContent).toBe(server.inventory[0]!.record.title)
  })

  it.each([
    ['address_required', 'Add your shipping address first.', 'Add address', '/app/#account/address'],
    ['subscription_required', 'Subscribe first.', 'Subscribe', '/app/#account/subscription'],
    ['reconnect_required', 'Reconnect eBay first.', 'Reconnect', '/app/#shops'],
  ] as const)('leads to the errand before its listing, and checks again: %s', async (code, message, label, path) => {
    const server = threeItems()
    const item = server.inventory[0]!
    item.listings = []
    item.record.channel_listings = []
    server.selling.lacking = { code, message }
    const { user } = await openPage({ server, hash: `#item/${item.uid}/list` })
    await user.click(await dom.findByRole('checkbox', { name: /eBay/ }))
    const link = await dom.findByRole('link', { name: label })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([`https://hapax.test${path}`, '_blank'])
    server.selling.lacking = null
    document.dispatchEvent(new Event('visibilitychange'))
    await dom.findByText('1 listing is ready.')
    expect(dom.queryByText(message)).toBeNull()
  })

  it('says that it no longer exists', async () => {
    await openPage({ server: threeItems(), hash: '#item/inv_0000000000000000000000' })
    expect((await dom.findByRole('alert')).textContent).toContain('This no longer exists.')
  })

  it('sold elsewhere meanwhile says so and cannot be listed', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    await openPage({ server, hash: `#item/${item.uid}` })
    await button('List on…')
    await dom.findByText('No history yet.')
    await expect.poll(() => server.stream.open).toBe(1)
    server.selling.change(item, 'sold')
    server.stream.publish('item.state_changed')
    await dom.findByText('Available → Sold')
    expect(dom.queryByRole('button', { name: 'List on…' })).toBeNull()
  })
})

it('leads from a sold item to its order to ship', async () => {
  const server = threeItems()
  const [sold, other] = server.inventory
  for (const item of [sold!, other!]) server.selling.change(item, 'sold')
  server.shipments.push(
    sampleShipment({ ship_by: new Date(Date.now() + 3 * 86_400_000).toISOString() }, { inventory_item_uid: sold!.uid }),
  )
  await openPage({ server, hash: `#item/${sold!.uid}` })
  const link = await dom.findByRole('link', { name: /^Ship by / })
  expect(link.getAttribute('href')).toBe('#to-ship')
  await closeScreen()
  await openPage({ server, hash: `#item/${other!.uid}` })
  await expect.poll(() => server.requests.filter(({ operation }) => operation === 'listShipments').length).toBe(2)
  expect(dom.queryByRole('link', { name: /^Ship by / })).toBeNull()
})

describe('a sale marked by mistake', () => {
  it('is undone on the item’s page', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    server.selling.change(item, 'sold')
    const { user } = await openPage({ server, hash: `#item/${item.uid}` })
    await user.click(await button('More'))
    await user.click(await button('Undo sale'))
    await user.click(dialog().getByRole('button', { name: 'Undo sale' }))
    await dom.findByText('Sale undone. You can list the item again.')
    expect(document.querySelector('dialog')).toBeNull()
    await button('List on…')
    expect(item.record.lifecycle.state).toBe('available')
  })

  it('stays if it is a platform’s', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    server.selling.change(item, 'sold')
    server.selling.soldByOrder.add(item.uid)
    const { user } = await openPage({ server, hash: `#item/${item.uid}` })
    await user.click(await button('More'))
    await user.click(await button('Undo sale'))
    await user.click(dialog().getByRole('button', { name: 'Undo sale' }))
    expect(await dialog().findByRole('alert')).toBeTruthy()
    expect(item.record.lifecycle.state).toBe('sold')
  })
})
