// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, openPopup, waitFor, within } from '#extension/testing/screen.tsx'
import { Refused, StandInServer } from '#extension/testing/stand-in-server.ts'
import type { Platform } from '#shared/contract/connections.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import { newId } from '#shared/identity.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'

afterEach(closeScreen)

const now = new Date().toISOString()

function mail(given: Partial<SaleMailMessage>): SaleMailMessage {
  return {
    ...{ uid: newId('mal'), marketplace: 'poshmark', kind: 'sale', outcome: 'held', reason: null, order_id: null },
    ...{
      title: 'Wool coat',
      price_minor: 6_400,
      currency: 'USD',
      item_uids: [],
      items: [],
      received_at: now,
      ...given,
    },
  }
}

function item(title: string, given: Partial<NonNullable<SaleMailMessage['items']>[number]> = {}) {
  const live_on: PlatformSlug[] = ['poshmark', 'ebay']
  return {
    ...{ inventory_item_uid: newId('inv'), title, image: null, price_minor: 6_400, currency: 'USD' },
    ...{ state: 'available' as const, live_on, ...given },
  }
}

const reserved = item('Wool coat', { state: 'reserved' })
const twins = [item('Wool coat, navy'), item('Wool coat, green', { live_on: ['poshmark'] })]

/** A server with these mails, which takes answers to them. */
function withMails(...mails: SaleMailMessage[]) {
  const server = new StandInServer()
  const done: string[] = []
  server.answers.set('listSaleMails', ({ query }) => {
    const found = mails.filter(
      ({ outcome, uid }) =>
        (query.outcome === undefined || outcome === query.outcome) && (query.uid === undefined || uid === query.uid),
    )
    return { count: found.length, results: found }
  })
  server.answers.set('resolveSaleMail', ({ params, body }) => {
    const found = mails.find(({ uid }) => uid === params.uid)!
    const { item_uid } = body as { item_uid: string | null }
    done.push(`answer ${item_uid}`)
    if (found.outcome !== 'ambiguous') throw new Refused('already_resolved')
    found.outcome = item_uid === null ? 'ignored' : 'held'
    found.items = found.items!.filter(({ inventory_item_uid }) => inventory_item_uid === item_uid)
    return found
  })
  return { server, done, mails }
}

/** Answers the list of platforms with the state of sale mail on some. */
function mailStates(server: StandInServer, states: Partial<Record<PlatformSlug, Platform['sale_mail']>>): void {
  server.answers.set('listPlatforms', () =>
    platforms.map(({ uid, name, slug, url }) => ({
      ...{ uid, name, slug, url, is_selling_active: false, connection_url: `/accounts/${slug}/login/` },
      sale_mail: states[slug] ?? null,
    })),
  )
}
const silent = { state: 'silent', last_at: '2026-01-06T10:00:00.000Z', live_listings: 200 } as const
const off = { state: 'off', last_at: null, live_listings: 3 } as const

it('says what each mail did, and what helps where it did nothing', async () => {
  const { server } = withMails(
    mail({ items: [reserved] }),
    mail({ marketplace: 'ebay', outcome: 'fetched' }),
    mail({ kind: 'cancellation', outcome: 'freed', price_minor: null, currency: null }),
    mail({ outcome: 'unmatched', marketplace: 'depop' }),
    mail({ kind: 'other', outcome: 'ignored', marketplace: 'mercari', title: null }),
    mail({ outcome: 'refused', reason: 'forwarded', marketplace: null, kind: 'other', title: null }),
    mail({ outcome: 'refused', reason: 'recipient' }),
    mail({ outcome: 'refused', reason: 'not_connected', marketplace: 'vinted' }),
    mail({
      ...{ outcome: 'ignored', kind: 'other', marketplace: null, title: null },
      confirmation: { code: '123456789', link: 'https://mail-settings.google.com/mail/vf-1' },
    }),
  )
  await openPage({ server, hash: '#sale-mail' })
  await dom.findByText('Held for the buyer. Its other listings end.')
  const link = dom.getByRole('link', { name: 'Wool coat' })
  expect(link.getAttribute('href')).toBe(`#item/${reserved.inventory_item_uid}`)
  dom.getByText('Its order is read from eBay, which decides.')
  dom.getByText('Canceled on Poshmark')
  dom.getByText(/We could not tell which item/)
  dom.getByText('Not about a sale. Nothing changed.')
  dom.getByText(/Forwarded by hand/)
  dom.getByText(/written to an address that you have not confirmed/)
  dom.getByText('Hapax does not work with Vinted. Mark the item as sold yourself.')
  dom.getByText('123456789')
  const page = dom.getByRole('link', { name: 'Open Gmail’s page' })
  expect(page.getAttribute('href')).toBe('https://mail-settings.google.com/mail/vf-1')
})

it('has words for every reason to refuse a mail', async () => {
  const reasons = ['signature', 'sender', 'form', 'recipient', 'forwarded', 'replayed', 'too_old', 'malformed'] as const
  const { server } = withMails(...reasons.map((reason) => mail({ outcome: 'refused', reason })))
  await openPage({ server, hash: '#sale-mail' })
  await waitFor(() => expect(dom.getAllByText('Sold on Poshmark for $64.00')).toHaveLength(reasons.length))
  const said = [...document.querySelectorAll('.mail p.warn')].map((words) => words.textContent)
  expect(new Set(said).size).toBe(reasons.length)
})

it('asks which item sold, says what the answer does, and holds it', async () => {
  const { server, done } = withMails(mail({ outcome: 'ambiguous', items: twins }))
  const { user } = await openPage({ server, hash: '#sale-mail' })
  await dom.findByText(/The item that you choose is held at once, and its other listings are ended/)
  dom.getByText('Live on Poshmark and eBay')
  await user.click(dom.getByRole('button', { name: 'This one sold: Wool coat, green' }))
  await waitFor(() => expect(done).toEqual([`answer ${twins[1]!.inventory_item_uid}`]))
  await dom.findByText('Held for the buyer. Its other listings end.')
  expect(dom.queryByRole('button', { name: 'None of them' })).toBeNull()
})

it('takes it that none of them sold', async () => {
  const { server, done } = withMails(mail({ outcome: 'ambiguous', items: twins }))
  const { user } = await openPage({ server, hash: '#sale-mail' })
  await user.click(await dom.findByRole('button', { name: 'None of them' }))
  await waitFor(() => expect(done).toEqual(['answer null']))
  await dom.findByText('Nothing is held')
})

it('frees an item that was not sold, and offers to undo that', async () => {
  const { server } = withMails(mail({ items: [reserved] }))
  const freed: string[] = []
  server.answers.set('takeBackSale', ({ params }) => {
    freed.push(params.uid!)
    return { uid: params.uid, state: 'available', change_uid: newId('chg') }
  })
  const { user } = await openPage({ server, hash: '#sale-mail' })
  await user.click(await dom.findByRole('button', { name: 'It was no sale: Wool coat' }))
  await dom.findByText('The item is available again')
  expect(freed).toEqual([reserved.inventory_item_uid])
  dom.getByRole('button', { name: 'Undo' })
})

it('finds the item of a mail that fits none among all items', async () => {
  const lost = mail({ outcome: 'unmatched', title: 'Brass sextant from 1900' })
  const { server, done } = withMails(lost, mail({ outcome: 'unmatched', marketplace: 'ebay' }))
  server.answers.set('resolveSaleMail', ({ body }) => {
    done.push(`answer ${(body as { item_uid: string }).item_uid}`)
    lost.outcome = 'held'
    return { ...lost, change_uid: newId('chg') }
  })
  server.answers.set('undoChange', () => {
    lost.outcome = 'unmatched'
    return { undone: 1, kept: 0, change: { kind: 'mark_sold' } }
  })
  const [one, other] = sampleInventory(2)
  one!.record.title = 'Brass sextant with case'
  one!.listings = one!.listings!.map((listing) => ({ ...listing, platform: 'poshmark', state: 'available' }))
  other!.record.title = 'Brass sextant, bare'
  other!.listings = []
  server.inventory.push(one!, other!)
  const { user } = await openPage({ server, hash: '#sale-mail' })
  await dom.findAllByText(/We could not tell which item/)
  await user.click(dom.getAllByText('Find the item')[0]!)
  const field = dom.getAllByRole('searchbox', { name: 'Search your items' })[0]!
  await user.type(field, 'sextant')
  await dom.findByRole('button', { name: 'This one sold: Brass sextant, bare' })
  await user.click(dom.getByRole('button', { name: 'This one sold: Brass sextant with case' }))
  await waitFor(() => expect(done).toEqual([`answer ${one!.uid}`]))
  await waitFor(() => expect(dom.getAllByText('Find the item')).toHaveLength(1))
  await user.click(dom.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(dom.getAllByText('Find the item')).toHaveLength(2))
})

function unclear(candidates: typeof twins): Alert {
  return {
    ...{ uid: newId('alm'), kind: 'sale_unclear', state: 'open', urgency: 45, platform: 'poshmark' },
    message: '"Wool coat" sold on Poshmark. 2 of your items may be it. Its other listings stay live until you answer.',
    ...{ inventory_item_uid: null, title: null, image: null, price_minor: null, currency: null },
    ...{ seller_account_uid: null, shop_name: null, order_uid: null, external_order_id: null, listing_id: null },
    ...{ listing_url: null, sold_on: null, sold_at: null, since: now, created_at: now, task_uid: null },
    progress: { state: 'waiting_for_seller', attempts: 0, next_try_at: null, last_error: null },
    ...{ actions: [{ action: 'dismiss', url: null }], suggestion: 'check_item', relist_on: [] },
    candidates: candidates.map(({ inventory_item_uid, title, image, price_minor, currency }) => ({
      ...{ inventory_item_uid, title, image, price_minor, currency, agrees: ['title'], differs: ['price'] },
    })),
    sold: { title: 'Wool coat', price_minor: 6_400, currency: 'USD' },
  }
}

it.each([
  ['the first screen', () => openPage, '#home'],
  ['the popup', () => openPopup, undefined],
] as const)('one press on %s says which item sold', async (_, open, hash) => {
  const { server } = withMails()
  const alert = unclear(twins)
  server.alerts.push(alert)
  const { user } = await open()({ server, ...(hash && { hash }) })
  await dom.findByText(/2 of your items may be it/)
  expect(dom.getAllByText(/Same title, asked less/)).toHaveLength(2)
  await user.click(dom.getByRole('button', { name: /^This one sold: Wool coat, green/ }))
  await waitFor(() => expect(server.answered).toEqual([[alert.uid, twins[1]!.inventory_item_uid]]))
  await waitFor(() => expect(dom.queryByText(/2 of your items may be it/)).toBeNull())
})

it('the first screen finds an item that is no candidate, or takes that it is none', async () => {
  const { server } = withMails()
  const [one] = sampleInventory(1)
  one!.record.title = 'Brass sextant with case'
  one!.listings = one!.listings!.map((listing) => ({ ...listing, platform: 'poshmark', state: 'available' }))
  server.inventory.push(one!)
  const [first, second] = [unclear([]), unclear(twins)]
  server.alerts.push(first, second)
  const { user } = await openPage({ server, hash: '#home' })
  await user.click(await dom.findByRole('button', { name: /^Find the item/ }))
  const dialog = await dom.findByRole('dialog')
  await user.type(within(dialog).getByRole('searchbox'), 'sextant')
  await user.click(await within(dialog).findByRole('button', { name: 'This one sold: Brass sextant with case' }))
  await waitFor(() => expect(server.answered).toEqual([[first.uid, one!.uid]]))
  await user.click(await dom.findByRole('button', { name: /^None of my items/ }))
  await waitFor(() => expect(server.answered[1]).toEqual([second.uid, null]))
})

it('says on three screens that the mails of a marketplace have stopped', async () => {
  const { server } = withMails()
  mailStates(server, { mercari: silent })
  const words = 'No sale mail from Mercari for 30 days although 200 listings are live'
  const { user } = await openPage({ server, hash: '#shops' })
  await dom.findByText(words)
  expect(dom.queryByRole('button', { name: 'Dismiss, Mercari' })).toBeNull()
  location.hash = '#sale-mail'
  await dom.findByRole('heading', { name: 'What came in' })
  dom.getByText(words)
  location.hash = '#home'
  await user.click(await dom.findByRole('button', { name: 'Dismiss, Mercari' }))
  await waitFor(() => expect(dom.queryByText(words)).toBeNull())
  location.hash = '#shops'
  await dom.findByText(words)
})

it('is offered among the shops where a sale is seen only with the browser open', async () => {
  const { server } = withMails()
  mailStates(server, { poshmark: off, depop: off, ebay: { ...off, live_listings: 0 } })
  server.inventory.push(...sampleInventory(1))
  await openPage({ server, hash: '#shops' })
  await dom.findByText(/Tells of sales on Poshmark and Depop with the browser closed, too/)
  expect(dom.getByRole('link', { name: 'Turn on sale mail' }).getAttribute('href')).toBe('#sale-mail')
})

it('leads from the extension to the web app to set it up', async () => {
  const { server } = withMails()
  await openPage({ server, hash: '#sale-mail' })
  const link = await dom.findByRole('link', { name: 'Set it up' })
  expect(link.getAttribute('href')).toMatch(/\/app\/#sale-mail$/)
})
