// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory, sampleItem } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, reads, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

/** Opens the table with `count` items, all of them read. */
async function openTable(count: number) {
  const server = new StandInServer()
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(count))
  const screen = await openPage({ server })
  await reads(`${count} of ${count}`)
  return screen
}

const button = (name: string | RegExp) => dom.getByRole('button', { name })
/** Opens the menu of the bar for selected rows. */
const openMenu = (user: Awaited<ReturnType<typeof openTable>>['user']) =>
  user.click(within(dom.getByRole('region', { name: /^Actions/ })).getByRole('button', { name: 'More' }))
const choice = (name: string) => dom.getByRole('combobox', { name })
const search = () => dom.getByRole('searchbox')
const table = () => dom.getByRole('grid', { name: 'Inventory' })
const shownCount = () => dom.getByText(/^[\d,]+ of [\d,]+$/).textContent
const cells = (column: number) =>
  within(table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.children[column]!.textContent ?? '')
const titles = () => cells(2)
const headings = () =>
  within(table())
    .getAllByRole('columnheader')
    .map((head) => head.textContent)
const sortedBy = () =>
  within(table())
    .getAllByRole('columnheader')
    .flatMap((head) => {
      const order = head.getAttribute('aria-sort')
      return order === null || order === 'none' ? [] : [`${head.textContent} ${order}`]
    })
const select = (title: string) => dom.getByRole('checkbox', { name: `Select ${title}` })
const selectAll = () => dom.getByRole('checkbox', { name: 'Select all shown' })
const dialog = () => within(dom.getByRole('dialog'))
const namedItems = () =>
  within(dialog().getByRole('list', { name: 'Items' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent)

describe('the table', () => {
  it('filters in words', async () => {
    const { user } = await openTable(60)
    await user.selectOptions(choice('State'), 'available')
    await user.selectOptions(choice('Live on'), 'ebay')
    await user.selectOptions(choice('Not live on'), 'etsy')
    const expected = Array.from({ length: 60 }, (_, n) => sampleItem(n)).filter((item) => {
      const live = (item.listings ?? []).filter((one) => one.state === 'available').map((one) => one.platform)
      return item.record.lifecycle.state === 'available' && live.includes('ebay') && !live.includes('etsy')
    })
    expect(expected.length).toBeGreaterThan(0)
    expect(shownCount()).toBe(`${expected.length} of 60`)
  })

  it('says that nothing matches, and clears the filters', async () => {
    const { user } = await openTable(10)
    await user.type(search(), 'nothing like this')
    expect(dom.getByText('No items match.')).toBeTruthy()
    await user.click(button('Clear filters'))
    expect(shownCount()).toBe('10 of 10')
    expect(search()).toHaveProperty('value', '')
  })

  it('sorts by a column, and the other way at the second press', async () => {
    const { user } = await openTable(20)
    const prices = () => cells(3).map((price) => Number(price.slice(1)))
    await user.click(button('Price'))
    const descending = prices()
    expect(descending).toEqual(prices().sort((one, other) => other - one))
    expect(sortedBy()).toEqual(['Price descending'])
    await user.click(button('Price'))
    expect(prices()).toEqual([...descending].reverse())
    expect(sortedBy()).toEqual(['Price ascending'])
  })

  it('shows the chosen columns, sorts by them and remembers them', async () => {
    const { user, reload } = await openTable(20)
    expect(headings().slice(2)).toEqual(['Title', 'Price', 'State', 'Live on', 'Added', 'SKU'])
    await user.click(button('Columns'))
    for (const column of ['Added', 'Brand', 'Location', 'Cost', 'Days listed', 'Size']) {
      await user.click(dom.getByRole('checkbox', { name: column }))
    }
    const chosen = ['Cost', 'Days listed', 'Brand', 'Size', 'Location', 'SKU']
    expect(headings().slice(6)).toEqual(chosen)
    await user.click(button('Brand'))
    const brands = cells(8)
    expect(brands).toEqual([...brands].sort((one, other) => one.localeCompare(other)))
    expect(sortedBy()).toEqual(['Brand ascending'])
    reload()
    await reads('20 of 20')
    expect(headings().slice(6)).toEqual(chosen)
  })

  it('takes the order of a hidden column along', async () => {
    const { user } = await openTable(10)
    await user.click(button('Added'))
    expect(sortedBy()).toEqual(['Added ascending'])
    await user.click(button('Columns'))
    await user.click(dom.getByRole('checkbox', { name: 'Added' }))
    expect(sortedBy()).toEqual([])
    expect(titles()).toEqual(sampleInventory(10).map(({ record }) => record.title))
  })

  it('saves a view by a name, applies it on another device and deletes it', async () => {
    const { server, user, reload } = await openTable(30)
    await user.click(button('Save this view'))
    expect(dom.getByText('Filter, search or sort first.')).toBeTruthy()
    await user.keyboard('{Escape}')
    await user.selectOptions(choice('State'), 'available')
    await user.selectOptions(choice('Live on'), 'ebay')
    await user.click(button('Price'))
    const filtered = titles()
    await user.click(button('Save this view'))
    await user.type(dom.getByRole('textbox', { name: 'Name' }), 'Live on eBay{Enter}')
    expect(await dom.findByRole('button', { name: 'Live on eBay', pressed: true })).toBeTruthy()
    expect(dom.queryByRole('textbox', { name: 'Name' })).toBeNull()
    expect(document.activeElement).toBe(button('Save this view'))
    expect(server.views).toMatchObject([
      { filter: { state: 'available', on: 'ebay' }, columns: ['age', 'sku'], sort: { by: 'price', down: true } },
    ])
    localStorage.clear()
    reload()
    await reads('30 of 30')
    await user.click(await dom.findByRole('button', { name: 'Live on eBay' }))
    expect(titles()).toEqual(filtered)
    expect(sortedBy()).toEqual(['Price descending'])
    await user.click(button('Delete the view “Live on eBay”'))
    await waitFor(() => expect(dom.getByRole('list', { name: 'Saved views' }).textContent).toBe('To list (5)'))
    expect(server.views).toEqual([])
  })

  it('filters by price and what is missing, in words that can be taken back', async () => {
    const { user } = await openTable(30)
    await user.click(button('More filters'))
    await user.type(dom.getByRole('spinbutton', { name: 'Price from' }), '50')
    await user.click(dom.getByRole('checkbox', { name: 'Cost' }))
    await user.keyboard('{Escape}')
    expect(dom.getByText('without a cost')).toBeTruthy()
    const prices = cells(3).map((price) => Number(price.slice(1)))
    expect(prices.length).toBeGreaterThan(0)
    expect(prices.every((price) => price >= 50)).toBe(true)
    await user.click(button('Remove the filter: from 50'))
    await user.click(button('Remove the filter: without a cost'))
    expect(shownCount()).toBe('30 of 30')
  })

  it.each(['{ArrowDown}', '{Enter}'])('goes from the search to the first row by %s', async (key) => {
    const { user } = await openTable(10)
    await user.keyboard('/')
    expect(document.activeElement).toBe(search())
    await user.keyboard(key)
    expect(document.activeElement).toBe(table())
  })

  it('selects a range by Shift and the arrows', async () => {
    const { user } = await openTable(10)
    table().focus()
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
    expect(dom.getByText('3 items selected')).toBeTruthy()
  })

  it('keeps the selection while the filter hides it, and names it before an action', async () => {
    const { user } = await openTable(40)
    await user.selectOptions(choice('State'), 'available')
    const unseen = titles().slice(-2)
    for (const title of unseen) await user.click(select(title))
    expect(dom.getByText('2 items selected')).toBeTruthy()
    await user.selectOptions(choice('State'), 'reserved')
    const [seen] = titles()
    await user.click(select(seen!))
    expect(dom.getByText('3 items selected, 2 not shown here')).toBeTruthy()
    await user.click(button('Mark sold…'))
    // It asks for the price of each.
    expect(dialog().getAllByLabelText(/, sold for/)).toHaveLength(3)
    await user.click(dialog().getByRole('button', { name: 'Cancel' }))
    await openMenu(user)
    await user.click(button('End listings…'))
    // The reserved item is listed nowhere.
    expect(namedItems()).toEqual(unseen)
    await user.click(dialog().getByRole('button', { name: 'Cancel' }))
    await user.click(button('Show them'))
    expect(dom.getByText('3 items selected')).toBeTruthy()
  })

  it('ends a range at the last selected row, whatever the order', async () => {
    const { user } = await openTable(8)
    const [first] = titles()
    await user.click(select(first!))
    await user.click(button('Price'))
    const sorted = titles()
    expect(sorted.at(-1)).toBe(first)
    await user.keyboard('{Shift>}')
    await user.click(select(sorted[5]!))
    await user.keyboard('{/Shift}')
    const selected = within(table())
      .getAllByRole('row', { selected: true })
      .map((row) => row.children[2]!.textContent)
    expect(selected).toEqual(sorted.slice(5))
  })

  it('shows its data and says when it is offline', async () => {
    const { server, reload } = await openTable(4)
    server.faults.push({ operation: 'listInventory', code: 'network', times: 1_000 })
    reload()
    await reads('Offline. Showing 4 items as last read.')
    expect(titles()).toHaveLength(4)
  })

  it.each([
    ['none', 'Connect a shop'],
    ['connected', 'Import now'],
  ] as const)('leads on from an empty inventory with eBay %s', async (ebay, lead) => {
    const server = new StandInServer()
    server.ebay = ebay
    await openPage({ server })
    expect((await dom.findByRole('link', { name: lead })).getAttribute('href')).toBe('#home')
    expect(dom.getByRole('heading', { name: 'No items yet' })).toBeTruthy()
  })

  it('asks a signed-out seller to sign in', async () => {
    await openPage({ signedIn: false })
    expect(await dom.findByRole('textbox', { name: 'Email' })).toBeTruthy()
    expect(dom.queryByRole('grid')).toBeNull()
  })

  it('sends the selected items alone for an export, and explains that it needs the server', async () => {
    const { server, user } = await openTable(3)
    server.faults.push({ operation: 'exportItems', code: 'network', times: 1_000 })
    const [first, second] = titles()
    await user.click(select(first!))
    await user.click(select(second!))
    await openMenu(user)
    await user.click(button('Export CSV'))
    const alert = await dom.findByRole('alert')
    expect(alert.textContent).toContain('Offline. Items can be exported once the server answers.')
    const [asked] = server.requests.filter(({ operation }) => operation === 'exportItems')
    const selected = server.inventory.filter(({ record }) => [first, second].includes(record.title))
    expect(new Set((asked!.body as { uids: string[] }).uids)).toEqual(new Set(selected.map(({ uid }) => uid)))
  })
})

describe('while the inventory is being read', () => {
  it('says how much of it is here, and that the rest is not selected', async () => {
    const server = new StandInServer()
    const items = sampleInventory(100)
    let isHeld = true
    server.answers.set('listInventory', ({ query }) => ({
      results: query.cursor ? [] : items,
      next_cursor: isHeld ? 'more' : null,
      ...(query.total ? { total: 10_038 } : {}),
    }))
    const { user } = await openPage({ server })
    await reads('100 of 10,038, reading')
    await user.click(selectAll())
    expect(dom.getByText('100 of 10,038 items are read so far. The others are not selected.')).toBeTruthy()
    isHeld = false
    await reads('100 of 100')
    expect(dom.queryByText(/The others are not selected/)).toBeNull()
  })

  it('does not call what was read before the whole of it', async () => {
    const { server, reload } = await openTable(100)
    const now = new Date().toISOString()
    server.inventory.push(sampleItem(100, { created_at: now, updated_at: now }))
    const release = server.hold(/inventory/)
    reload()
    await dom.findByText('100 read so far')
    release()
    await reads('101 of 101')
  })

  it('says so, too, when the reading broke off', async () => {
    const server = new StandInServer()
    const items = sampleInventory(100)
    server.answers.set('listInventory', ({ query }) => {
      if (query.cursor) server.faults.push({ operation: 'listInventory', code: 'network', times: 1_000 })
      return { results: query.cursor ? [] : items, next_cursor: 'more', ...(query.total ? { total: 10_038 } : {}) }
    })
    await openPage({ server })
    await reads('100 of 10,038 read')
  })
})

describe('a cell', () => {
  const cell = (row: number, column: number) => within(table()).getAllByRole('row')[row + 1]!.children[column]!
  const editor = (field: string) => dom.getByRole('textbox', { name: new RegExp(`^${field} of `) })

  it('is edited in place: Enter saves and goes down, Tab right, Escape leaves', async () => {
    const { server, user } = await openTable(4)
    const [first] = titles()
    await user.dblClick(cell(0, 3))
    expect(editor('Price')).toBe(document.activeElement)
    await user.keyboard('24.50{Enter}')
    expect(editor('Price').getAttribute('aria-label')).toBe(`Price of ${titles()[1]}`)
    await user.keyboard('{Tab}')
    expect(editor('SKU').getAttribute('aria-label')).toBe(`SKU of ${titles()[1]}`)
    await user.keyboard('never{Escape}')
    expect(document.activeElement).toBe(table())
    await waitFor(() => expect(cell(0, 3).textContent).toBe('$24.50'))
    expect(server.inventory.find(({ record }) => record.title === first)?.record.offer.price_minor).toBe(2_450)
    expect(server.selling.bulkJobs).toHaveLength(1)
    expect(button('Undo')).toBeTruthy()
  })

  it('begins at a key, and says where a price goes', async () => {
    const { server, user } = await openTable(6)
    table().focus()
    await user.keyboard('{ArrowDown}e')
    const note = document.getElementById(editor('Price').getAttribute('aria-describedby') ?? '')
    const item = server.inventory.find(({ record }) => record.title === titles()[1])
    const live = (item?.listings ?? []).filter(({ state }) => state === 'available').map(({ platform }) => platform)
    expect(live.length).toBeGreaterThan(0)
    const isSent = live.some((platform) => platform === 'ebay' || platform === 'etsy')
    expect(note?.textContent).toContain(isSent ? 'Also changes on' : 'yourself.')
  })

  it('keeps a refused value and says why in its place', async () => {
    const { server, user } = await openTable(3)
    const taken = server.inventory[0]!.sku!
    const row = titles().findIndex((title) => title !== server.inventory[0]!.record.title)
    await user.dblClick(cell(row, 7))
    await user.clear(editor('SKU'))
    await user.keyboard(`${taken}{Enter}{Escape}`)
    expect((await dom.findByRole('alert')).textContent).toContain('Another item has this SKU.')
    expect(editor('SKU')).toHaveProperty('value', taken)
    await user.keyboard('{Escape}')
    expect(cell(row, 7).textContent).not.toBe(taken)
  })

  it('names a wrong amount before anything is sent', async () => {
    const { server, user } = await openTable(2)
    await user.dblClick(cell(0, 3))
    await user.clear(editor('Price'))
    await user.keyboard('ten{Enter}')
    expect(dom.getByRole('alert').textContent).toContain('Enter an amount such as')
    expect(editor('Price')).toBe(document.activeElement)
    expect(server.selling.bulkJobs).toEqual([])
  })
})

describe('many items at once', () => {
  it('are listed once after a preview, though the answer is lost', async () => {
    const { server, user } = await openTable(30)
    server.selling.bulkAtOnce = false
    const failing = server.inventory.find(
      (item) => item.record.lifecycle.state === 'available' && !item.listings?.some((one) => one.platform === 'ebay'),
    )
    server.selling.unlistable.add(failing!.uid)
    await user.click(selectAll())
    expect(dom.getByText('30 items selected')).toBeTruthy()
    await user.click(button('List on…'))
    await user.click(dialog().getByRole('checkbox', { name: /^eBay/ }))
    await user.click(dialog().getByRole('checkbox', { name: /^Depop/ }))
    await dialog().findAllByText(/Suggested, check it$/)
    server.faults.push({ operation: 'bulkList', code: 'lost_reply', times: 1 })
    const list = () => dialog().findByRole('button', { name: /^List \d+/ })
    await user.click(await list())
    expect((await dialog().findByRole('alert')).textContent).toContain('The server does not answer.')
    await user.click(await list())
    await dialog().findByRole('progressbar')
    server.selling.finishBulk()
    expect(server.selling.bulkJobs).toHaveLength(1)
    const { job } = server.selling.bulkJobs[0]!
    expect(job.succeeded + job.manual + job.failed).toBe(job.total)
    expect([job.failed, job.manual > 0]).toEqual([2, true])
  })

  it('are marked as sold in turn while the table follows', async () => {
    const { server, user } = await openTable(3)
    await user.click(selectAll())
    await user.click(button('Mark sold…'))
    await user.click(dialog().getByRole('button', { name: 'Mark 3 as sold' }))
    await dialog().findByText('3 marked as sold')
    await user.click(dialog().getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(cells(4)).toEqual(['Sold', 'Sold', 'Sold']))
    expect(server.inventory.map((item) => item.record.lifecycle.state)).toEqual(['sold', 'sold', 'sold'])
  })

  it('ask for the price of each and one place', async () => {
    const { server, user } = await openTable(2)
    await user.click(selectAll())
    await user.click(button('Mark sold…'))
    const [first] = dialog().getAllByRole('textbox', { name: /, sold for \(USD\)$/ })
    await user.clear(first!)
    await user.type(first!, 'a lot')
    await user.click(dialog().getByRole('button', { name: 'Mark 2 as sold' }))
    expect(dialog().getByRole('alert').textContent).toMatch(/^Enter a price such as/)
    await user.clear(first!)
    await user.type(first!, '12.50')
    await user.type(dialog().getByRole('textbox', { name: 'Where (optional)' }), 'Flea market')
    await user.click(dialog().getByRole('button', { name: 'Mark 2 as sold' }))
    await dialog().findByText('2 marked as sold')
    const sent = server.requests.filter(({ operation }) => operation === 'markItemSold').map(({ body }) => body)
    expect(sent).toContainEqual({ price_minor: 1_250, note: 'Flea market' })
    const atMarket = expect.objectContaining({ note: 'Flea market' })
    expect(sent).toEqual([atMarket, atMarket])
  })

  it('can be stopped, and both parts are reported', async () => {
    const { server, user } = await openTable(3)
    await user.click(selectAll())
    await user.click(button('Mark sold…'))
    const release = server.hold(/mark-sold/)
    await user.click(dialog().getByRole('button', { name: 'Mark 3 as sold' }))
    await user.click(dialog().getByRole('button', { name: 'Stop' }))
    expect(dialog().getByRole('button', { name: 'Stopping…' })).toBeTruthy()
    release()
    await dialog().findByText('1 marked as sold, 2 not started')
    await user.click(dialog().getByRole('button', { name: 'Close' }))
    expect(server.requests.filter((one) => one.operation === 'markItemSold')).toHaveLength(1)
    await waitFor(() => expect(cells(4).filter((state) => state === 'Sold')).toHaveLength(1))
  })

  it('are edited after a preview of every one', async () => {
    const { server, user } = await openTable(30)
    const before = server.inventory.map(({ record }) => record.title)
    await user.click(selectAll())
    await openMenu(user)
    await user.click(button('Edit…'))
    await dom.findByRole('dialog')
    await user.type(await dialog().findByRole('textbox', { name: 'Words to add after' }), '1960s')
    expect(dialog().getByText('30 items change')).toBeTruthy()
    const preview = dialog().getByRole('grid', { name: 'Items before and after' })
    expect(preview.getAttribute('aria-rowcount')).toBe('31')
    await user.click(dialog().getByRole('button', { name: 'Change 30 items' }))
    await waitFor(() => expect(dom.queryByRole('dialog')).toBeNull())
    expect(server.inventory.map(({ record }) => record.title)).toEqual(before.map((title) => `${title} 1960s`))
    expect(button('Undo')).toBeTruthy()
    await waitFor(() => expect(titles()[0]).toContain('1960s'))
  })
})
