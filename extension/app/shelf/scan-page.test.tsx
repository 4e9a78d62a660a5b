// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, reads, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import { itemAddress, placeAddress } from './read-scan.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await closeScreen()
})

function threeItems(): StandInServer {
  const server = new StandInServer()
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(3))
  server.inventory[0]!.attributes.isbn = '9780306406157'
  server.inventory[1]!.attributes.upc = '036000291452'
  server.inventory[2]!.attributes.upc = '036000291452'
  return server
}

const address = 'https://hapax.example.com'
const title = (server: StandInServer, at: number) => server.inventory[at]!.record.title
const heading = (name: string) => dom.findByRole('heading', { level: 1, name })
/** Waits until the table has the items. */
const isRead = () => dom.findByText('3 of 3')

/** Types as a scanner does, with Enter at the end. Browsers stamp keys when they are pressed, however busy the page is. */
function scan(code: string, gapMs = 5): void {
  // A while after what was typed before.
  let timeStamp = performance.now() + 1_000
  for (const key of [...code, 'Enter']) {
    const target = document.activeElement ?? document.body
    const press = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    timeStamp += gapMs
    Object.defineProperty(press, 'timeStamp', { value: timeStamp })
    const isDone = !target.dispatchEvent(press)
    if (isDone || key === 'Enter' || !(target instanceof HTMLInputElement)) continue
    target.value += key
    target.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

describe('a scanner that types', () => {
  it('opens an item by its label, anywhere on the page', async () => {
    const server = threeItems()
    await openPage({ server, hash: '#inventory' })
    await isRead()
    scan(itemAddress(address, server.inventory[1]!.uid))
    await heading(title(server, 1))
    scan('9780306406157')
    await heading(title(server, 0))
  })

  it('opens an item from the search and takes its code out of it, but searches for other words', async () => {
    const server = threeItems()
    const { user } = await openPage({ server, hash: '#inventory' })
    await isRead()
    const search = dom.getByRole<HTMLInputElement>('searchbox')
    await user.click(search)
    scan('no such words')
    expect([location.hash, search.value]).toEqual(['#inventory', 'no such words'])
    await user.clear(search)
    await user.click(search)
    scan(server.inventory[2]!.sku!)
    await heading(title(server, 2))
    expect(search.value).toBe('')
  })

  it('leaves no screen where a scan would lose what is typed or chosen', async () => {
    const server = threeItems()
    const { user } = await openPage({ server, hash: '#drafts' })
    await user.type(await dom.findByLabelText('Title (optional)'), 'Wool hat')
    ;(document.activeElement as HTMLElement).blur()
    scan('036000291452')
    expect(location.hash).toBe('#drafts')
    expect(dom.getByLabelText<HTMLInputElement>('Title (optional)').value).toBe('Wool hat')
  })

  it('takes no keys of quick hands that go from a button to a field', async () => {
    const { user } = await openPage({ server: threeItems(), hash: '#inventory' })
    await isRead()
    dom.getByRole('link', { name: 'Add item' }).focus()
    const search = dom.getByRole<HTMLInputElement>('searchbox')
    await user.keyboard('x')
    search.focus()
    await user.keyboard('coats')
    expect(search.value).toBe('coats')
  })

  it('takes no keys that come one by one', async () => {
    await openPage({ server: threeItems(), hash: '#inventory' })
    await isRead()
    scan('036000291452', 90)
    expect(location.hash).not.toContain('scan')
  })
})

describe('the scan screen', () => {
  it('moves items to the place that was scanned before them, with undo', async () => {
    const server = threeItems()
    server.inventory[1]!.attributes.storage_location = 'B-12'
    const { user } = await openPage({ server, hash: '#inventory' })
    await isRead()
    scan(placeAddress(address, 'B-12'))
    await heading('Scan')
    await reads('Moving to B-12')
    scan(itemAddress(address, server.inventory[0]!.uid))
    await dom.findAllByText('Moved to B-12')
    expect(server.inventory[0]!.attributes.storage_location).toBe('B-12')
    expect(dom.getByRole('button', { name: 'Undo' })).toBeTruthy()
    scan(server.inventory[1]!.sku!)
    await dom.findByText('Already at B-12')
    scan(placeAddress(address, 'C-1'))
    await reads('Moving to C-1')
    scan(server.inventory[1]!.sku!)
    await dom.findByText('Moved to C-1', { selector: 'main li *' })
    await user.click(dom.getByRole('link', { name: 'Stop moving' }))
    await waitFor(() => expect(dom.queryByRole('link', { name: 'Stop moving' })).toBeNull())
    expect(dom.getByText('Moved to C-1', { selector: 'main li *' })).toBeTruthy()
    await user.type(dom.getByLabelText('Code or SKU'), server.inventory[0]!.sku!)
    await user.click(await dom.findByRole('button', { name: 'Open' }))
    await heading(title(server, 0))
  })

  it('moves an item once whose label is read again and again, and keeps the undo', async () => {
    const server = threeItems()
    server.inventory[1]!.attributes.storage_location = 'B-12'
    await openPage({ server, hash: '#scan/B-12' })
    await heading('Scan')
    const { uid } = server.inventory[0]!
    scan(itemAddress(address, uid))
    scan(itemAddress(address, uid))
    await dom.findByText('Moved to B-12', { selector: 'main li *' })
    expect(server.requests.filter(({ operation }) => operation === 'bulkEdit')).toHaveLength(1)
    expect(dom.getByRole('button', { name: 'Undo' })).toBeTruthy()
    // The camera sees the label until the seller takes it away.
    scan(itemAddress(address, uid))
    scan(itemAddress(address, server.inventory[1]!.uid))
    await dom.findByText('Already at B-12')
    expect(dom.queryByText('Moved to B-12', { selector: 'main li *' })).toBeTruthy()
  })

  it('waits for the whole inventory before it says that no item has a code', async () => {
    const server = threeItems()
    const release = server.hold(/inventory/)
    await openPage({ server, hash: '#scan//9780306406157' })
    await waitFor(() => expect(document.querySelector('main.scan')?.getAttribute('aria-busy')).toBe('true'))
    expect(dom.queryByText(/^No item has/)).toBeNull()
    release()
    await heading(title(server, 0))
  })

  it('leaves no address behind that leads back to the item', async () => {
    const server = threeItems()
    await openPage({ server, hash: '#inventory' })
    await isRead()
    const replace = vi.spyOn(location, 'replace')
    location.hash = 'scan//9780306406157'
    await heading(title(server, 0))
    expect(replace.mock.calls).toEqual([[`#item/${server.inventory[0]!.uid}`]])
  })

  it('asks which item a code of several means', async () => {
    const server = threeItems()
    const { user } = await openPage({ server, hash: '#inventory' })
    await isRead()
    scan('036000291452')
    await dom.findByText('2 items have this code')
    await user.click(dom.getByRole('link', { name: `Open, ${title(server, 2)}` }))
    await heading(title(server, 2))
  })

  it('offers a new item for a product code that none has', async () => {
    const { user } = await openPage({ server: threeItems(), hash: '#inventory' })
    await isRead()
    scan('4006381333931')
    await dom.findByText('No item has the code 4006381333931.')
    await user.click(dom.getByRole('button', { name: 'Add item' }))
    expect((await dom.findByLabelText<HTMLInputElement>('EAN')).value).toBe('4006381333931')
  })

  it('says that an item of another inventory is not known, and offers nothing', async () => {
    await openPage({ server: threeItems(), hash: '#inventory' })
    await isRead()
    scan(itemAddress(address, 'inv_0000000000000000000000'))
    await dom.findByText(/^No item has the code/)
    expect(dom.queryByRole('button', { name: 'Add item' })).toBeNull()
  })
})

describe('the form of an item', () => {
  it('takes a scanned ISBN or UPC into its field, from any field, and is not saved by the scan', async () => {
    const server = threeItems()
    const { user } = await openPage({ server, hash: `#item/${server.inventory[0]!.uid}/edit` })
    const name = await dom.findByLabelText<HTMLInputElement>('Title')
    const before = name.value
    await user.click(name)
    scan('036000291452')
    const upc = dom.getByLabelText<HTMLInputElement>('UPC')
    await waitFor(() => expect(upc.value).toBe('036000291452'))
    expect([name.value, document.activeElement]).toEqual([before, upc])
    await user.clear(upc)
    await user.click(upc)
    scan('036000291452')
    await waitFor(() => expect(upc.value).toBe('036000291452'))
    await user.type(name, '!')
    expect([name.value, upc.value]).toEqual([`${before}!`, '036000291452'])
    const sku = dom.getByLabelText<HTMLInputElement>(/^SKU/)
    await user.clear(sku)
    await user.click(sku)
    scan('HAT-0042')
    expect(sku.value).toBe('HAT-0042')
    expect(location.hash).toMatch(/edit$/)
    expect(server.inventory[0]!.attributes.upc).toBeUndefined()
  })
})
