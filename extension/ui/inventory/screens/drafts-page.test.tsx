// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDrafts } from '#extension/storage/drafts.ts'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { InventoryItem } from '#shared/contract/inventory.ts'

beforeEach(async () => {
  await (await openDrafts()).drafts.clear()
})
afterEach(closeScreen)

/** Opens a place with a server that takes photos. */
async function openAt(hash: string, items: InventoryItem[] = []) {
  const server = new StandInServer()
  server.inventory.push(...items)
  server.answers.set('createImage', () => image(++photos))
  let photos = 0
  const { user } = await openPage({ server, hash })
  const sent = (operation: string) => server.requests.filter((one) => one.operation === operation)
  return { server, user, sent }
}

const image = (n: number) => ({
  ...{
    id: `img_${n}`,
    url: `https://hapax.test/images/img_${n}/2000`,
    type: 'image/jpeg',
    width: 10,
    height: 10,
    bytes: 9,
  },
  ...{ created_at: new Date().toISOString(), sizes: [] },
})

/** An item that is a draft. */
function draft(n: number, changes: { title?: string; images?: string[] }): InventoryItem {
  const item = sampleItem(n, { listings: [], attributes: { draft: true } })
  Object.assign(item.record, { title: 'Untitled', images: ['https://hapax.test/assets/no-photo.svg'], ...changes })
  item.record.channel_listings = []
  item.record.lifecycle.state = 'withdrawn'
  item.record.offer.price_minor = 0
  item.record.condition.label = 'not stated'
  return item
}

describe('drafts of this device', () => {
  it('stay without a network and are sent once with it', async () => {
    const { server, user, sent } = await openAt('#drafts')
    await dom.findByRole('heading', { name: 'Drafts' })
    server.outage = 'network'
    await user.upload(
      document.querySelector<HTMLInputElement>('#photo-files')!,
      new File(['x'], 'a.jpg', { type: 'image/jpeg' }),
    )
    await user.type(dom.getByLabelText('Title (optional)'), 'Brass lamp')
    await user.click(dom.getByRole('button', { name: 'Keep draft' }))
    await user.type(dom.getByLabelText('Title (optional)'), 'Wool hat')
    await user.click(dom.getByRole('button', { name: 'Keep draft' }))
    await waitFor(() => expect(dom.getAllByText('Waiting to be sent')).toHaveLength(2))
    server.outage = null
    // The answer to the first one is lost.
    server.faults.push({ operation: 'createInventoryItem', code: 'lost_reply', times: 1 })
    dispatchEvent(new Event('online'))
    await waitFor(() => expect(sent('createInventoryItem').length).toBeGreaterThan(0))
    dispatchEvent(new Event('online'))
    await waitFor(() => expect(dom.queryByText('Waiting to be sent')).toBeNull())
    const bodies = sent('createInventoryItem').map(
      ({ body }) => body as { draft: string; title: string; images: string[] },
    )
    expect(new Set(bodies.map((body) => body.draft)).size).toBe(2)
    expect(bodies.at(0)).toMatchObject({ title: 'Brass lamp', images: ['https://hapax.test/images/img_1/2000'] })
    expect(bodies.at(-1)).toMatchObject({ title: 'Wool hat', images: [expect.stringMatching(/no-photo\.svg$/)] })
    // The photo that arrived was not sent again.
    expect(sent('createImage').filter((one) => one.path).length).toBe(1)
  })

  it('need a photo or a title', async () => {
    const { user } = await openAt('#drafts')
    await user.click(await dom.findByRole('button', { name: 'Keep draft' }))
    await dom.findByText('Add a photo or a title.')
    expect(await (await openDrafts()).drafts.count()).toBe(0)
  })

  it('that another app shared wait for a press', async () => {
    const shared = { key: crypto.randomUUID(), account: null, title: 'From the gallery', photos: [], made_at: 1 }
    await (await openDrafts()).drafts.add({ ...shared, problem: null })
    const { user, sent } = await openAt('#drafts')
    await dom.findByText('Shared with Hapax')
    expect(sent('createInventoryItem')).toEqual([])
    await user.click(dom.getAllByRole('button', { name: 'Keep draft' }).at(-1)!)
    await waitFor(() => expect(dom.queryByText('From the gallery')).toBeNull())
    expect(sent('createInventoryItem')[0]?.body).toMatchObject({ title: 'From the gallery', draft: shared.key })
  })

  it('say why the server refuses one, and can be tried again', async () => {
    const { server, user } = await openAt('#drafts')
    server.faults.push({ operation: 'createInventoryItem', code: 'quota_exceeded', times: 1 })
    await user.type(await dom.findByLabelText('Title (optional)'), 'Brass lamp')
    await user.click(dom.getByRole('button', { name: 'Keep draft' }))
    await dom.findByText(/^Not sent\. The account holds/)
    await user.click(dom.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(dom.queryByText(/^Not sent/)).toBeNull())
    await waitFor(() => expect(server.inventory).toHaveLength(1))
  })
})

describe('drafts in the inventory', () => {
  it('are found by what is to be done', async () => {
    const photographed = draft(1, { images: ['https://hapax.test/images/img_1/2000'] })
    const { user } = await openAt('#inventory', [draft(0, { title: 'Wool hat' }), photographed, sampleItem(2)])
    await user.click(await dom.findByRole('button', { name: 'To photograph (1)' }))
    await dom.findByText('1 of 3')
    dom.getByText('Wool hat')
    await user.click(dom.getByRole('button', { name: 'To list (1)' }))
    await waitFor(() => expect(dom.queryByText('Wool hat')).toBeNull())
    dom.getByText('Untitled')
  })

  it('can be saved unfinished, and go on sale when they are finished', async () => {
    const item = draft(0, {})
    const { user, sent } = await openAt(`#item/${item.uid}`, [item])
    await user.click(await dom.findByRole('link', { name: 'Edit' }))
    await user.type(await dom.findByLabelText('Title'), 'Wool hat')
    await user.click(dom.getByRole('button', { name: 'Save' }))
    expect(await dom.findByText('Add at least one photo.')).toBeTruthy()
    await user.click(dom.getByRole('button', { name: 'Save draft' }))
    await dom.findByRole('heading', { name: 'Wool hat' })
    expect(sent('updateInventoryItem').at(-1)?.body).toEqual({
      ...{ version: 1, title: 'Wool hat', update_listings: [] },
      ...{ images: [expect.stringMatching(/no-photo\.svg$/)], condition: { label: 'not stated' } },
    })
    await user.click(dom.getByRole('link', { name: 'Edit' }))
    await user.type(await dom.findByLabelText('Photo link'), 'https://example.com/hat.jpg{Enter}')
    await user.type(dom.getByLabelText('Condition'), 'Good')
    await user.type(dom.getByLabelText('Price'), '20')
    await user.click(dom.getByRole('button', { name: 'Save' }))
    await dom.findByText('Available')
    expect(sent('updateInventoryItem').at(-1)?.body).toMatchObject({
      ...{ state: 'available', images: ['https://example.com/hat.jpg'], condition: { label: 'Good' } },
    })
  })
})
