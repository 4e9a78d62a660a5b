// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

const { getContext } = HTMLCanvasElement.prototype
const { createObjectURL } = URL
const { click } = HTMLAnchorElement.prototype
let files: Blob[] = []
beforeEach(() => {
  files = []
  // The simulated DOM measures no text.
  const measureText = (words: string) => ({ width: words.length * 38 })
  HTMLCanvasElement.prototype.getContext = (() => ({ measureText })) as never
  URL.createObjectURL = (file) => `blob:${files.push(file as Blob)}`
  // It would follow the link of a download.
  HTMLAnchorElement.prototype.click = () => {}
})
afterEach(async () => {
  Object.assign(HTMLCanvasElement.prototype, { getContext })
  Object.assign(URL, { createObjectURL })
  Object.assign(HTMLAnchorElement.prototype, { click })
  await closeScreen()
})

function threeItems(): StandInServer {
  const server = new StandInServer()
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(3))
  return server
}

const dialog = () => within(dom.getByRole('dialog'))

describe('labels', () => {
  it('of an item are downloaded as a PDF of the chosen paper, which the device keeps', async () => {
    const server = threeItems()
    const item = server.inventory[0]!
    const { user, reload } = await openPage({ server, hash: `#item/${item.uid}` })
    await user.click((await dom.findAllByRole('button', { name: 'More' })).at(-1)!)
    await user.click(await dom.findByRole('button', { name: 'Labels…' }))
    await dom.findByRole('heading', { name: 'Print 1 label' })
    expect(dialog().getByRole('img', { name: 'The first label' }).textContent).toContain(item.sku)
    await user.selectOptions(dialog().getByLabelText('Paper'), 'Avery 5160')
    expect(dialog().getAllByRole('radio')).toHaveLength(30)
    await user.click(dialog().getByRole('radio', { name: 'Row 2, column 1' }))
    await user.click(dialog().getByRole('button', { name: 'Download PDF' }))
    await dialog().findByText('hapax-labels.pdf is in your downloads.')
    expect(files[0]!.type).toBe('application/pdf')
    expect(await files[0]!.slice(0, 5).text()).toBe('%PDF-')
    reload()
    await user.click((await dom.findAllByRole('button', { name: 'More' })).at(-1)!)
    await user.click(await dom.findByRole('button', { name: 'Labels…' }))
    await dom.findByRole('heading', { name: 'Print 1 label' })
    expect(dialog().getByLabelText<HTMLSelectElement>('Paper').value).toBe('5160')
    await user.click(dialog().getByLabelText('Print the price'))
    expect(dialog().getByRole('img', { name: 'The first label' }).textContent).not.toContain('$')
  })

  it('of the selected items count the sheets that they need', async () => {
    const { user } = await openPage({ server: threeItems(), hash: '#inventory' })
    await dom.findByText('3 of 3')
    await user.click(dom.getByRole('checkbox', { name: 'Select all shown' }))
    await user.click((await dom.findAllByRole('button', { name: 'More' })).at(-1)!)
    await user.click(await dom.findByRole('button', { name: 'Labels…' }))
    await dom.findByRole('heading', { name: 'Print 3 labels' })
    await user.selectOptions(dialog().getByLabelText('Paper'), 'Avery L7163')
    expect(dialog().getByText('1 sheet')).toBeTruthy()
    await user.click(dialog().getByRole('radio', { name: 'Row 7, column 1' }))
    expect(dialog().getByText('2 sheets')).toBeTruthy()
  })
})
