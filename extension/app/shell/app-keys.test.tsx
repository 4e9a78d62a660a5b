// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, reads, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

async function open(hash = '') {
  const server = new StandInServer()
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(12))
  const screen = await openPage({ server, hash })
  await reads('12 of 12')
  return screen
}
const heading = () => dom.getByRole('heading', { level: 1 }).textContent
const titles = () =>
  within(dom.getByRole('grid', { name: 'Inventory' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.children[2]!.textContent)

it('goes to an item, an action or a page by Ctrl K, from a field too', async () => {
  const { user } = await open()
  await user.click(dom.getByRole('searchbox'))
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await dom.findByRole('combobox', { name: 'Go to' }), 'camera')
  const [first] = within(dom.getByRole('listbox', { name: 'Found' })).getAllByRole('option')
  expect(first?.getAttribute('aria-selected')).toBe('true')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(location.hash).toMatch(/^#item\/inv_/))
  expect(dom.queryByRole('dialog')).toBeNull()
  await user.keyboard('{Meta>}k{/Meta}')
  await user.type(await dom.findByRole('combobox', { name: 'Go to' }), 'recent{Enter}')
  await waitFor(() => expect(location.hash).toBe('#changes'))
})

it('shows the keys by a question mark, and not while writing', async () => {
  const { user } = await open()
  await user.type(dom.getByRole('searchbox'), '?')
  expect(dom.queryByRole('dialog')).toBeNull()
  await user.clear(dom.getByRole('searchbox'))
  dom.getByRole('grid', { name: 'Inventory' }).focus()
  await user.keyboard('?')
  expect(await dom.findByText('Save and go down')).toBeTruthy()
})

it('steps through the items in the order of the table by J and K', async () => {
  const { user } = await open()
  await user.click(dom.getByRole('button', { name: 'Price' }))
  const sorted = titles()
  await user.click(dom.getByRole('link', { name: sorted[1]! }))
  await waitFor(() => expect(heading()).toBe(sorted[1]))
  await user.keyboard('j')
  await waitFor(() => expect(heading()).toBe(sorted[2]))
  await user.keyboard('kk')
  await waitFor(() => expect(heading()).toBe(sorted[0]))
  expect(dom.getByText('1 of 12')).toBeTruthy()
  expect(dom.getByRole('button', { name: 'Previous item' }).getAttribute('aria-disabled')).toBe('true')
})

it('saves the form of an item by Ctrl S', async () => {
  const { server, user } = await open()
  const [item] = server.inventory
  location.hash = `item/${item!.uid}/edit`
  const title = await dom.findByRole('textbox', { name: 'Title' })
  await user.clear(title)
  await user.type(title, 'Renamed{Control>}s{/Control}')
  await waitFor(() => expect(item!.record.title).toBe('Renamed'))
})
