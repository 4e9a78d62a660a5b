// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { sampleSale } from '#extension/testing/sample-sale.ts'
import { closeScreen, dom, openPage, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

afterEach(closeScreen)

it('asks for the missing costs one after the other', async () => {
  const server = new StandInServer()
  const sales = ['Coat', 'Hat', 'Boots'].map((title) => sampleSale({ title, cost_minor: title === 'Hat' ? 500 : null }))
  server.answers.set('listSales', () => ({ results: sales, held: [], next_cursor: null }))
  const kept: unknown[] = []
  server.answers.set('updateSaleCosts', ({ params, body }) => {
    const sale = sales.find(({ id }) => id === params.id)!
    kept.push([sale.title, Object.assign(sale, body).cost_minor])
    return sale
  })
  const { user } = await openPage({ server, hash: '#sales' })
  await user.click(await dom.findByRole('button', { name: '2 costs missing' }))
  await user.click(dom.getByRole('button', { name: /Coat/ }))
  for (const title of ['Coat', 'Boots']) {
    await waitFor(() => expect(dom.getByRole('dialog').textContent).toContain(title))
    // The browser gives the first field the focus.
    expect(dom.getAllByRole('textbox')[0]).toBe(dom.getByLabelText('What the item cost you (USD)'))
    await user.type(dom.getByLabelText('What the item cost you (USD)'), '7{Enter}')
  }
  await waitFor(() => expect(dom.queryByRole('dialog')).toBeNull())
  expect(kept).toEqual([
    ['Coat', 700],
    ['Boots', 700],
  ])
})

it('shows on a sold item what it was sold for', async () => {
  const server = new StandInServer()
  const item = sampleItem(7)
  server.inventory.push(item)
  const asked: unknown[] = []
  server.answers.set('listSales', ({ query }) => {
    if (query.inventory_item_uid) asked.push(query.inventory_item_uid)
    return { results: [sampleSale({ inventory_item_uid: item.uid })], held: [], next_cursor: null }
  })
  await openPage({ server, hash: `#item/${item.uid}` })
  const sale = within(await dom.findByRole('region', { name: 'Sale' }))
  sale.getByText('$85.00')
  sale.getByText(/fee/i)
  sale.getByRole('button', { name: /^Edit costs/ })
  expect(asked).toEqual([item.uid])
})
