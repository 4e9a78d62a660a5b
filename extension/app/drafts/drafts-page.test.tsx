// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountOf, type Session } from '#extension/background/session/session.ts'
import { type Draft, keepDraft, openDrafts, photosOf } from '#extension/storage/drafts.ts'
import { signedInTo } from '#extension/testing/harness.ts'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { sendDrafts } from './send-drafts.ts'

beforeEach(async () => {
  const { drafts, photos } = await openDrafts()
  await Promise.all([drafts.clear(), photos.clear()])
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await closeScreen()
})

const photo = (name: string, type: string) => new File(['x'], name, { type })
const titleOf = ({ body }: { body?: unknown }) => (body as { title: string }).title
const draftOf = (account: string, title: string): Draft => ({
  ...{ key: crypto.randomUUID(), account, shared: false, title, made_at: Date.now(), problem: null },
})
const pastedKey = (server: StandInServer): Session => ({ ...signedInTo(server), key_id: null, user: null })

/** Puts what another app shared where the service worker keeps it. Returns that cache. */
function shared({ title, photos }: { title: string; photos: File[] }): Map<string, Response> {
  const form = new FormData()
  form.append('title', title)
  for (const file of photos) form.append('photos', file)
  const kept = new Map([[`https://hapax.test/app/shared/${crypto.randomUUID()}`, new Response(form)]])
  const box = {
    keys: async () => [...kept.keys()].map((url) => ({ url })),
    match: async ({ url }: Request) => kept.get(url),
    delete: async ({ url }: Request) => kept.delete(url),
  }
  vi.stubGlobal('caches', { open: async () => box })
  return kept
}

/** Opens a place with a server that takes photos. */
async function openAt(
  hash: string,
  items: InventoryItem[] = [],
  { server = new StandInServer(), session }: { server?: StandInServer; session?: Session } = {},
) {
  server.inventory.push(...items)
  server.answers.set('createImage', () => image(++photos))
  let photos = 0
  const { user } = await openPage({ server, hash, ...(session && { session }) })
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

  it('that another app shared wait for a press, and are of one account', async () => {
    const kept = shared({
      title: 'From the gallery',
      photos: [photo('a.heif', ''), photo('notes.pdf', 'application/pdf')],
    })
    const { server, sent, user } = await openAt('#drafts')
    await dom.findByText(/^Shared with Hapax by another app or site/)
    expect(kept.size).toBe(0)
    const [draft] = await (await openDrafts()).drafts.toArray()
    expect(draft).toMatchObject({ account: `https://hapax.test ${server.user.id}` })
    expect((await photosOf(draft!.key)).map(({ name }) => name)).toEqual(['a.heif'])
    expect(sent('createInventoryItem')).toEqual([])
    await user.click(dom.getAllByRole('button', { name: 'Keep draft' }).at(-1)!)
    await waitFor(() => expect(dom.queryByText('From the gallery')).toBeNull())
    expect(sent('createInventoryItem')[0]?.body).toMatchObject({ title: 'From the gallery', draft: draft!.key })
  })

  it('say that this device did not keep what was shared', async () => {
    await openAt('#drafts/lost')
    await dom.findByText(/^Nothing shared was kept/)
  })

  it('are hidden from another account, also of a pasted key', async () => {
    const server = new StandInServer()
    const [one, other] = [pastedKey(server), pastedKey(server)]
    expect(await accountOf(one)).not.toContain(one.key)
    await keepDraft(draftOf(await accountOf(one), 'Of the first'), [])
    await keepDraft({ ...draftOf(await accountOf(other), 'Of the other'), shared: true }, [])
    const { server: asked } = await openAt('#drafts', [], { server, session: other })
    await dom.findByText('Of the other')
    expect(dom.queryByText('Of the first')).toBeNull()
    expect(asked.requests.filter(({ operation }) => operation === 'createInventoryItem')).toEqual([])
  })

  it('of an account that is no longer signed in are not sent by its page', async () => {
    const { sent } = await openAt('#drafts')
    await dom.findByRole('heading', { name: 'Drafts' })
    const before = { server: 'https://hapax.test', account: 'https://hapax.test somebody' }
    await keepDraft(draftOf(before.account, 'Of the first'), [photo('a.jpg', 'image/jpeg')])
    expect(await sendDrafts(before)).toBe(false)
    expect([...sent('createImage'), ...sent('createInventoryItem')]).toEqual([])
    expect(await (await openDrafts()).drafts.toArray()).toMatchObject([{ title: 'Of the first', problem: null }])
  })

  it('that are refused do not hold up the next ones, and can lose a photo', async () => {
    const { server, user, sent } = await openAt('#inventory')
    await dom.findByText('No items yet')
    const account = `https://hapax.test ${server.user.id}`
    const photos = [photo('a.jpg', 'image/jpeg'), photo('b.jpg', 'image/jpeg')]
    await keepDraft({ ...draftOf(account, 'Broken photo'), made_at: 1 }, photos)
    await keepDraft({ ...draftOf(account, 'Wool hat'), made_at: 2 }, [])
    server.faults.push({ operation: 'createImage', code: 'internal', times: 1 })
    location.hash = '#drafts'
    await dom.findByText(/^Not sent\./)
    await waitFor(() => expect(sent('createInventoryItem').map(titleOf)).toEqual(['Wool hat']))
    await user.click(await dom.findByRole('button', { name: 'Remove photo 1' }))
    await waitFor(() => expect(dom.queryByRole('button', { name: 'Remove photo 2' })).toBeNull())
    await user.click(dom.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(sent('createInventoryItem').map(titleOf)).toEqual(['Wool hat', 'Broken photo']))
    expect(sent('createInventoryItem').at(-1)?.body).toMatchObject({ images: [expect.stringMatching(/img_\d/)] })
  })

  it('that are deleted while their photos are sent become no items', async () => {
    const { server, user, sent } = await openAt('#drafts')
    await dom.findByRole('heading', { name: 'Drafts' })
    const account = `https://hapax.test ${server.user.id}`
    const release = server.hold(/images/)
    await keepDraft(draftOf(account, 'Brass lamp'), [photo('a.jpg', 'image/jpeg')])
    dispatchEvent(new Event('online'))
    await user.click(await dom.findByRole('button', { name: 'Delete draft “Brass lamp”' }))
    await waitFor(async () => expect(await (await openDrafts()).drafts.count()).toBe(0))
    release()
    await waitFor(() => expect(dom.queryByText('Brass lamp')).toBeNull())
    // After the one that was under way.
    await navigator.locks.request('hapax-drafts', () => null)
    expect(sent('createInventoryItem')).toEqual([])
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
    const described = dom.getByRole('button', { name: 'Add photos' }).getAttribute('aria-describedby')
    expect(document.getElementById(described ?? '')?.textContent).toBe('Add at least one photo.')
    expect(dom.getByText('Add by link').closest('details')?.open).toBe(false)
    await user.click(dom.getByRole('button', { name: 'Save draft' }))
    await dom.findByRole('heading', { name: 'Wool hat' })
    expect(sent('updateInventoryItem').at(-1)?.body).toEqual({
      ...{ version: 1, title: 'Wool hat', update_listings: [] },
      ...{ images: [expect.stringMatching(/no-photo\.svg$/)], condition: { label: 'not stated' } },
    })
    location.hash = '#drafts'
    await user.click(await dom.findByRole('link', { name: 'Finish, Wool hat' }))
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
