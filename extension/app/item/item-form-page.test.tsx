// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory, sampleItem } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, shown, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'

afterEach(closeScreen)

/** Opens a place of the full page, with one item that is listed nowhere. */
async function openAt(place: (item: InventoryItem) => string, changes: Partial<InventoryItem> = {}) {
  const server = new StandInServer()
  const item = sampleItem(0, { listings: [], attributes: { brand: 'Marlowe' }, ...changes })
  item.record.channel_listings = []
  server.inventory.push(item)
  const { user } = await openPage({ server, hash: place(item) })
  return { server, user, item }
}

/** Opens the form of that item from its page. */
async function openForm(changes: Partial<InventoryItem> = {}) {
  const opened = await openAt(({ uid }) => `#item/${uid}`, changes)
  await opened.user.click(await dom.findByRole('link', { name: 'Edit' }))
  await field('Title')
  return opened
}

const field = (name: string) => dom.findByLabelText(name, { selector: 'input, select, textarea' })
const button = (name: string) => dom.getByRole('button', { name })
const dialog = () => within(dom.getByRole('dialog'))
const heading = (name: string) => dom.findByRole('heading', { level: 1, name })
const problemOf = (input: HTMLElement) => document.getElementById(input.getAttribute('aria-describedby') ?? '')

/** Types over the value of a field. */
async function write(user: Awaited<ReturnType<typeof openAt>>['user'], name: string, words: string): Promise<void> {
  const input = await field(name)
  await user.clear(input)
  await user.type(input, words)
}

describe('editing an item', () => {
  it('sends only what changed', async () => {
    const { server, user, item } = await openForm()
    await write(user, 'Title', 'Green loden coat')
    await write(user, 'Storage location (optional)', 'Shelf B')
    await user.click(button('Save'))
    await heading('Green loden coat')
    const [sent] = server.requests.filter(({ operation }) => operation === 'updateInventoryItem')
    expect(sent!.body).toEqual({
      version: 1,
      title: 'Green loden coat',
      attributes: { brand: 'Marlowe', storage_location: 'Shelf B' },
      update_listings: [],
    })
    expect(item.version).toBe(2)
  })

  it('asks for the measurements of the kind and keeps them as data', async () => {
    const { server, user } = await openForm()
    await write(user, 'Title', 'Levi 501 jeans')
    await write(user, 'Inseam', '32')
    await write(user, 'Waist, laid flat', 'narrow')
    await user.click(button('Save'))
    const waist = await field('Waist, laid flat')
    expect(problemOf(waist)?.textContent).toBe('Enter a length, such as 21.5 in.')
    expect(document.activeElement).toBe(waist)
    await write(user, 'Waist, laid flat', '17 1/2')
    await user.selectOptions(await field('Add another'), 'Serial number')
    await write(user, 'Serial number', 'L-501')
    await user.click(button('Save'))
    await heading('Levi 501 jeans')
    const [sent] = server.requests.filter(({ operation }) => operation === 'updateInventoryItem')
    expect(sent!.body).toMatchObject({
      attributes: { brand: 'Marlowe', particulars: { inseam: 813, waist: 445, serial_number: 'L-501' } },
    })
  })

  it('asks for no size and color of a book, and keeps those that it has', async () => {
    const { user } = await openForm({ attributes: { colors: ['Green'] } })
    await field('Size')
    await write(user, 'Title', 'The Dispossessed, first edition')
    await field('Author')
    expect(dom.queryByLabelText('Size')).toBeNull()
    expect(dom.getByLabelText('Colors')).toBeTruthy()
  })

  it('shows measurements in the units of the settings', async () => {
    const server = new StandInServer()
    server.settings.units = 'metric'
    const item = sampleItem(0, { attributes: { particulars: { pit_to_pit: 533, serial_number: 'A1' } } })
    server.inventory.push(item)
    await openPage({ server, hash: `#item/${item.uid}/edit` })
    expect(await field('Pit to pit')).toHaveProperty('value', '53.3 cm')
  })

  it('shows problems beside their fields and focuses the first', async () => {
    const { server, user } = await openForm()
    await write(user, 'Title', ' ')
    await write(user, 'Price', 'about 90')
    await user.click(button('Save'))
    const [title, price] = [await field('Title'), await field('Price')]
    expect(document.activeElement).toBe(title)
    expect([title, price].map((input) => [input.getAttribute('aria-invalid'), problemOf(input)?.textContent])).toEqual([
      ['true', 'Fill in Title.'],
      ['true', 'Enter an amount such as 12.50.'],
    ])
    expect(server.requests.some(({ operation }) => operation === 'updateInventoryItem')).toBe(false)
  })

  it('says beside the field that a SKU is taken', async () => {
    const { server, user } = await openForm()
    server.inventory.push(sampleItem(1, { sku: 'TAKEN' }))
    await write(user, 'SKU (optional)', 'TAKEN')
    await user.click(button('Save'))
    await dom.findByText('Another item has this SKU. Choose another.')
    expect(problemOf(await field('SKU (optional)'))?.textContent).toBe('Another item has this SKU. Choose another.')
  })

  it('names what changed meanwhile and keeps the edits', async () => {
    const { server, user, item } = await openForm()
    await write(user, 'Title', 'My title')
    item.record.offer.price_minor = 9_900
    item.version++
    await user.click(button('Save'))
    await dom.findByText(/Price is now 99\.00\. Your own edits are kept\./)
    expect(await field('Title')).toHaveProperty('value', 'My title')
    await user.click(button('Save'))
    await heading('My title')
    expect(server.inventory[0]!.record).toMatchObject({ title: 'My title', offer: { price_minor: 9_900 } })
  })

  it('fixes the price of a sold item and says so', async () => {
    const sold = sampleItem(0)
    sold.record.lifecycle.state = 'sold'
    await openForm({ record: sold.record })
    const price = await field('Price')
    expect(price).toHaveProperty('readOnly', true)
    expect(problemOf(price)?.textContent).toBe('The item is sold, so its price cannot change.')
  })

  it('keeps flaws with their photos as data, notes and evidence', async () => {
    const { server, user, item } = await openForm()
    const [, second] = item.record.images
    await write(user, 'Condition notes (optional)', 'Clean.')
    await user.click(button('Add flaw'))
    await user.type(await field('Flaw 1'), 'Moth hole on the cuff')
    await user.selectOptions(await field('Photo of flaw 1'), 'Photo 2 of 3')
    await user.click(button('Save'))
    await heading(item.record.title)
    const bodies = () => server.requests.filter(({ operation }) => operation === 'updateInventoryItem')
    expect(bodies()[0]!.body).toMatchObject({
      condition: { notes: 'Clean.\nFlaw: Moth hole on the cuff', evidence_urls: [second] },
      attributes: { flaws: [{ text: 'Moth hole on the cuff', photo: second }] },
    })
    await user.click(dom.getByRole('link', { name: 'Edit' }))
    expect(await field('Condition notes (optional)')).toHaveProperty('value', 'Clean.')
    await user.click(button('Remove flaw 1'))
    await user.click(button('Save'))
    await waitFor(() => expect(bodies()).toHaveLength(2))
    expect(bodies()[1]!.body).toMatchObject({ condition: { notes: 'Clean.', evidence_urls: [] } })
  })

  it('adds a text for the kind of item, filled in', async () => {
    const server = new StandInServer()
    server.settings.texts = [
      { name: 'Coats', kind: 'clothing', text: 'By {brand}.\nSize {size}.' },
      { name: 'Lenses', kind: 'camera gear', text: 'Clear glass.' },
    ]
    const item = sampleItem(0, { attributes: { brand: 'Marlowe' }, description: 'Worn twice.' })
    server.inventory.push(item)
    const { user } = await openPage({ server, hash: `#item/${item.uid}/edit` })
    await write(user, 'Title', 'Green loden coat')
    const menu = (await field('Add a text')) as HTMLSelectElement
    expect([...menu.options].map((option) => option.text)).toEqual(['Choose a text', 'Coats'])
    await user.selectOptions(menu, 'Coats')
    expect(await field('Description (optional)')).toHaveProperty('value', 'Worn twice.\n\nBy Marlowe.')
  })

  it('moves photos by keys and keeps the focus on them', async () => {
    const { server, user, item } = await openForm()
    const [first, second, third] = item.record.images
    ;(await dom.findByRole('button', { name: 'Photo 1 of 3' })).focus()
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
    expect(document.activeElement).toBe(dom.getByRole('button', { name: 'Photo 3 of 3' }))
    await user.keyboard('{ArrowLeft}{Home}{End}{ArrowUp}')
    await user.click(button('Save'))
    await heading(item.record.title)
    const [sent] = server.requests.filter(({ operation }) => operation === 'updateInventoryItem')
    expect(sent!.body).toMatchObject({ images: [second, first, third] })
  })

  it('asks before it discards edits', async () => {
    const { server, user, item } = await openForm()
    await write(user, 'Title', 'Not wanted')
    await user.click(button('Back'))
    await user.click(dialog().getByRole('button', { name: 'Keep editing' }))
    expect(await field('Title')).toHaveProperty('value', 'Not wanted')
    await user.click(button('Back'))
    await user.click(dialog().getByRole('button', { name: 'Discard' }))
    await heading(item.record.title)
    expect(server.inventory[0]!.version).toBe(1)
  })
})

const inMenu = async (user: Awaited<ReturnType<typeof openPage>>['user'], name: string) => {
  await user.click(await dom.findByRole('button', { name: 'More' }))
  await user.click(button(name))
}

describe('ending listings', () => {
  it('says why an item could not be taken out of sale', async () => {
    const { user, item, server } = await openAt(({ uid }) => `#item/${uid}`)
    server.faults.push({ operation: 'updateInventoryItem', code: 'network', times: 1 })
    await inMenu(user, 'Missing')
    await dom.findByText(/^The server does not answer/)
    expect(item.record.lifecycle.state).toBe('available')
  })

  it.each([
    ['Pause', '1 paused', undefined],
    ['Missing', '1 missing, paused', true],
  ])('takes an item out of sale by two presses, with undo: %s', async (reason, done, missing) => {
    const { user, item, server } = await openAt(({ uid }) => `#item/${uid}`)
    const stateOf = () => item.record.lifecycle.state
    await inMenu(user, reason)
    await dom.findByText(done)
    expect(dom.getByRole('button', { name: 'Undo' })).toBeTruthy()
    expect(stateOf()).toBe('withdrawn')
    const asked = server.requests.find(({ operation }) => operation === 'updateInventoryItem')
    expect(asked?.body).toEqual({ state: 'withdrawn', ...(missing && { missing }) })
    await user.click(await dom.findByRole('button', { name: 'Put back on sale…' }))
    await user.click(dialog().getByRole('button', { name: 'Put 1 item back' }))
    await dom.findByText('1 back on sale')
    expect(stateOf()).toBe('available')
  })

  it.each([
    ['Pause 1 item', '1 paused', undefined],
    ['Mark 1 item missing', '1 missing, paused', true],
  ])('asks before the listings of an item end: %s', async (go, done, missing) => {
    const listings = sampleItem(0).listings!
    const { user, item, server } = await openAt(({ uid }) => `#item/${uid}`, { listings })
    await user.click(await dom.findByRole('button', { name: 'More' }))
    expect(dom.queryByRole('button', { name: 'Pause' })).toBeNull()
    await user.click(button('Pause or missing…'))
    await dom.findByText(/^Its listings end everywhere\. Those that Hapax did not publish/)
    expect(item.record.lifecycle.state).toBe('available')
    await user.click(dialog().getByRole('button', { name: go }))
    await dom.findByText(`${done}. Ending on eBay and Poshmark.`)
    const asked = server.requests.find(({ operation }) => operation === 'updateInventoryItem')
    expect(asked?.body).toEqual({ state: 'withdrawn', ...(missing && { missing }) })
  })

  it('leaves drafts out when paused items go back on sale', async () => {
    const server = new StandInServer()
    server.inventory.push(...sampleInventory(2))
    const [first, draft] = server.inventory
    for (const item of server.inventory) server.selling.change(item, 'withdrawn')
    draft!.attributes.draft = true
    const { user } = await openPage({ server })
    await dom.findByText('2 of 2')
    await user.click(dom.getByRole('checkbox', { name: 'Select all shown' }))
    await user.click(within(dom.getByRole('region', { name: /^Actions/ })).getByRole('button', { name: 'More' }))
    await user.click(button('Put back on sale…'))
    await user.click(dialog().getByRole('button', { name: 'Put 1 item back' }))
    const states = () => [first, draft].map((item) => item!.record.lifecycle.state)
    await waitFor(() => expect(states()).toEqual(['available', 'withdrawn']))
  })

  it('names several items missing by one dialog', async () => {
    const server = new StandInServer()
    server.inventory.push(...sampleInventory(2))
    const { user } = await openPage({ server })
    await dom.findByText('2 of 2')
    await user.click(dom.getByRole('checkbox', { name: 'Select all shown' }))
    await user.click(within(dom.getByRole('region', { name: /^Actions/ })).getByRole('button', { name: 'More' }))
    expect(dom.queryByRole('button', { name: 'Missing…' })).toBeNull()
    await user.click(button('Pause or missing…'))
    await user.click(dialog().getByRole('button', { name: 'Mark 2 items missing' }))
    await waitFor(() => expect(dialog().getByText('2 missing, paused')).toBeTruthy())
    expect(server.inventory.map((item) => item.record.lifecycle.state)).toEqual(['withdrawn', 'withdrawn'])
  })

  it('leaves selected items that are reserved as they are', async () => {
    const server = new StandInServer()
    server.inventory.push(...sampleInventory(2))
    const [first, second] = server.inventory
    server.selling.change(second!, 'reserved')
    const { user } = await openPage({ server })
    await dom.findByText('2 of 2')
    await user.click(dom.getByRole('checkbox', { name: 'Select all shown' }))
    await user.click(within(dom.getByRole('region', { name: /^Actions/ })).getByRole('button', { name: 'More' }))
    await user.click(button('Pause or missing…'))
    expect(dialog().getByText(/^1 selected item is reserved, sold or already paused/)).toBeTruthy()
    await user.click(dialog().getByRole('button', { name: 'Pause 1 item' }))
    const states = () => [first, second].map((item) => item!.record.lifecycle.state)
    await waitFor(() => expect(states()).toEqual(['withdrawn', 'reserved']))
  })
})

describe('a new item', () => {
  it('is added with photos in the order of the seller', async () => {
    const { server, user } = await openAt(() => '#new')
    await write(user, 'Title', 'Brass lamp')
    await user.click(button('Save'))
    expect(dom.getByText('Add at least one photo.')).toBeTruthy()
    await write(user, 'Condition', 'Good')
    await write(user, 'Price', '45')
    for (const name of ['a', 'b', 'c']) {
      await write(user, 'Photo link', `https://pictures.example.com/${name}.jpg{Enter}`)
    }
    // Each photo is one control until it is pressed.
    expect(document.querySelectorAll('.photos button')).toHaveLength(3)
    const choose = async (photo: string, action: string) => {
      await user.click(button(photo))
      await user.click(button(action))
    }
    await choose('Photo 3 of 3', 'Make photo 3 the cover')
    await choose('Photo 2 of 3', 'Move photo 2 later')
    // The moved photo keeps the focus at its new place.
    expect(document.activeElement).toBe(button('Photo 3 of 3'))
    await choose('Photo 3 of 3', 'Remove photo 3')
    await user.click(button('Save'))
    await heading('Brass lamp')
    const added = server.inventory.find(({ record }) => record.title === 'Brass lamp')!
    expect(location.hash).toBe(`#item/${added.uid}`)
    expect(added.record).toMatchObject({
      images: ['https://pictures.example.com/c.jpg', 'https://pictures.example.com/b.jpg'],
      offer: { price_minor: 4_500, currency: 'USD' },
    })
  })

  it('waits for a photo that was added right before', async () => {
    await openAt(() => '#new')
    await field('Title')
    const input = document.querySelector<HTMLInputElement>('#photo-files')!
    Object.defineProperty(input, 'files', { value: [new File(['x'], 'a.jpg', { type: 'image/jpeg' })] })
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await shown()
    button('Save').click()
    await dom.findByText('Wait until the photos are uploaded.')
  })

  it('is sent as another request than the draft whose answer was lost', async () => {
    const { server, user } = await openAt(() => '#new')
    await write(user, 'Title', 'Brass lamp')
    await write(user, 'Condition', 'Good')
    await write(user, 'Price', '45')
    await write(user, 'Photo link', 'https://pictures.example.com/a.jpg{Enter}')
    server.faults.push({ operation: 'createInventoryItem', code: 'lost_reply', times: 1 })
    await user.click(button('Save draft'))
    await dom.findByText(/^The server does not answer/)
    await user.click(button('Save'))
    await heading('Brass lamp')
    const sent = server.requests.filter(({ operation }) => operation === 'createInventoryItem')
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })

  it.each([
    ['the form', '#new', 'Currency'],
    ['a file', '#files', 'Currency'],
  ])('proposes the currency of the account in %s, whatever the newest item has', async (_, place, label) => {
    const server = new StandInServer()
    const inYen = sampleItem(0)
    inYen.record.offer.currency = 'JPY'
    server.inventory.push(inYen)
    server.accountCurrency = { currency: 'GBP', source: 'address' }
    await openPage({ server, hash: place })
    const select = (await dom.findByLabelText(label)) as HTMLSelectElement
    expect(select.value).toBe('GBP')
  })

  it('says what buyers pay in the chosen currency', async () => {
    const { user } = await openAt(() => '#new')
    await write(user, 'Price', '45')
    const price = await field('Price')
    expect(problemOf(price)?.textContent).toBe('Buyers pay $45.00.')
    await user.selectOptions(await field('Currency'), 'JPY')
    expect(problemOf(price)?.textContent).toBe('Buyers pay ¥45.')
  })

  it('is a duplicate without the SKU of the first', async () => {
    const { server, user, item } = await openAt(({ uid }) => `#item/${uid}`, { sku: 'FIRST' })
    await user.click(await dom.findByRole('button', { name: 'More' }))
    await user.click(await dom.findByRole('link', { name: 'Duplicate' }))
    await dom.findByText(/Add photos of this item/)
    expect(document.activeElement).toBe(await field('Title'))
    await write(user, 'Title', 'Second coat')
    await user.click(button('Save'))
    await dom.findByText('Add at least one photo.')
    await write(user, 'Photo link', 'https://pictures.example.com/second.jpg{Enter}')
    await user.click(button('Save'))
    await heading('Second coat')
    const copy = server.inventory.find(({ record }) => record.title === 'Second coat')!
    expect(copy).toMatchObject({ sku: null, attributes: { brand: 'Marlowe' } })
    expect(copy.uid).not.toBe(item.uid)
  })
})

describe('deleting', () => {
  it('removes an item after a confirmation', async () => {
    const { server, user } = await openAt(({ uid }) => `#item/${uid}`)
    await inMenu(user, 'Delete')
    await user.click(dialog().getByRole('button', { name: 'Cancel' }))
    expect(server.inventory).toHaveLength(1)
    await inMenu(user, 'Delete')
    await user.click(dialog().getByRole('button', { name: 'Delete item' }))
    await waitFor(() => expect(location.hash).toBe('#inventory'))
    expect(server.inventory).toEqual([])
    await dom.findByRole('heading', { name: 'No items yet' })
  })
})
