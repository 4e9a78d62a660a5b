// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import {
  closeScreen,
  dom,
  home,
  host,
  openPage,
  openPopup,
  type Screen,
  waitFor,
  within,
} from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { newId } from '#shared/identity.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await closeScreen()
})

const button = (name: string | RegExp) => dom.findByRole('button', { name })
/** Returns a button once nothing else is under way, which disables it. */
const readyButton = (name: string | RegExp) =>
  waitFor(() => {
    const found = dom.getByRole('button', { name })
    expect(found.getAttribute('aria-disabled')).toBe('false')
    return found
  })
const needs = () => within(dom.getByRole('region', { name: /^Needs you/ }))

describe('signing in', () => {
  const address = 'https://hapax.test'
  const field = (name: string) => dom.getByLabelText(name)

  async function enterPassword({ user, server }: Screen): Promise<void> {
    await user.clear(field('Server'))
    await user.type(field('Server'), address)
    await user.clear(field('Email'))
    await user.type(field('Email'), server.user.email ?? '')
    await user.type(field('Password'), server.password)
    await user.click(dom.getByRole('button', { name: 'Sign in' }))
  }

  it('asks for a code after the password, and again if it is wrong', async () => {
    const screen = await openPopup({ signedIn: false })
    const { user, server } = screen
    server.code = '123456'
    await dom.findByLabelText('Server')
    await enterPassword(screen)
    const code = await dom.findByLabelText('Code')
    expect(document.activeElement).toBe(code)
    await user.type(field('Code'), '654321{Enter}')
    await dom.findByText(/^This code does not work/)
    await user.click(dom.getByRole('button', { name: 'Start over' }))
    expect(dom.queryByText(/^This code does not work/)).toBeNull()
    await enterPassword(screen)
    await user.type(await dom.findByLabelText('Code'), '123456{Enter}')
    await button('Account and settings')
  })

  it('links to the first page and password reset of the server that is typed', async () => {
    const { user } = await openPopup({ signedIn: false })
    await dom.findByLabelText('Server')
    const ways = () =>
      dom
        .queryAllByRole('link', { name: /^(New to Hapax\?|Forgot your password\?)$/ })
        .map((link) => [link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')])
    await user.clear(field('Server'))
    await user.type(field('Server'), 'shop.example')
    expect(ways()).toEqual([
      ['https://shop.example/', '_blank', 'noreferrer'],
      ['https://shop.example/account/forgot-password', '_blank', 'noreferrer'],
    ])
    await user.clear(field('Server'))
    await user.type(field('Server'), 'no address')
    expect(ways()).toEqual([])
  })
})

describe('alerts', () => {
  const retry = { action: 'retry', url: null } as const
  const dismiss = { action: 'dismiss', url: null } as const
  const waits = (last_error: string): Alert['progress'] => ({
    state: 'waiting_for_seller',
    attempts: 0,
    next_try_at: null,
    last_error,
  })

  it('come first, the gravest on top, and name what refused them', async () => {
    const server = new StandInServer()
    const edit = { action: 'edit_item', url: 'https://hapax.example/app/#item' } as const
    const open = { action: 'open_item', url: 'https://hapax.example/app/#item' } as const
    const refused = sampleAlert({
      ...{ kind: 'update_refused', platform: 'ebay', title: 'Linen shirt', actions: [edit, dismiss] },
      progress: waits('The title is too long.'),
    })
    const unlisted = sampleAlert({
      ...{ kind: 'listing_refused', platform: 'ebay', title: 'Brass lamp', actions: [retry, open, dismiss] },
      progress: waits('Add a brand.'),
    })
    const relist = sampleAlert({ kind: 'relist_offer', title: 'Silk dress', relist_on: ['ebay', 'etsy'] })
    server.alerts.push(sampleAlert(), relist, refused, unlisted)
    server.tasks.push(sampleTask({ kind: 'list', title: 'Cream boots' }))
    await openPopup({ server })
    await dom.findByText('Still live on Etsy')
    const rows = needs()
      .getAllByRole('listitem')
      .map((row) => row.querySelector('strong')?.textContent)
    expect(rows).toEqual([
      'Still live on Etsy',
      'Sale canceled. List again on eBay and Etsy?',
      'eBay refused your edit',
      'Not listed on eBay',
      'List it on Depop',
    ])
    expect(dom.getByText(/The title is too long\./)).toBeTruthy()
    expect(dom.getByText(/Add a brand\./)).toBeTruthy()
    const link = (name: string) => dom.getByRole('link', { name }).getAttribute('href')
    expect(link('Open item: Not listed on eBay, Brass lamp')).toBe(
      `/inventory.html#item/${unlisted.inventory_item_uid}`,
    )
    expect(link('Edit item: eBay refused your edit, Linen shirt')).toBe(
      `/inventory.html#item/${refused.inventory_item_uid}/edit`,
    )
    // Nothing is published before its category and price were shown.
    const again = dom.getByRole('link', { name: 'Try again: Not listed on eBay, Brass lamp' })
    expect(again.getAttribute('href')).toMatch(/#item\/\w+\/list$/)
  })

  it('offer a marketplace again once it has not relisted', async () => {
    const server = new StandInServer()
    const canceled = { kind: 'relist_offer', platform: 'ebay' } as const
    const again = { action: 'list_again', url: null } as const
    server.alerts.push(
      sampleAlert({ ...canceled, title: 'Silk dress', relist_state: 'checking', actions: [dismiss] }),
      sampleAlert({
        ...{
          ...canceled,
          title: 'Wool coat',
          relist_state: 'relisted',
          relist_on: ['etsy'],
          actions: [again, dismiss],
        },
      }),
    )
    await openPopup({ server })
    await dom.findByText('Sale canceled. The item is available again')
    expect(dom.getByText('Checking whether eBay lists it again by itself.')).toBeTruthy()
    expect(dom.getByText('Sale canceled. List again on Etsy?')).toBeTruthy()
    expect(dom.getByText('eBay lists it again by itself. It is live there.')).toBeTruthy()
    expect(dom.getAllByRole('link', { name: /^List again/ })).toHaveLength(1)
  })

  it('ask which item a listing with a new number is', async () => {
    const server = new StandInServer()
    const candidate = { image: null, price_minor: 2_000, currency: 'USD', agrees: ['title' as const], differs: [] }
    const question = sampleAlert({
      ...{ kind: 'relist_unclear', platform: 'ebay', inventory_item_uid: null, title: null, actions: [dismiss] },
      ...{ sold: { title: 'Vase', price_minor: 2_000, currency: 'USD' }, message: 'It may be one of two.' },
      candidates: ['Vase', 'Vase, tall'].map((title, n) => ({ ...candidate, title, inventory_item_uid: `inv_${n}` })),
    })
    server.alerts.push(question)
    await openPopup({ server })
    await dom.findByText('Which item does eBay list again?')
    const answers = dom.getAllByRole('button', { name: /^(This one|None)/ })
    expect(answers.map(({ textContent }) => textContent)).toEqual(['This one', 'This one', 'None of my items'])
  })

  it('offer two answers about a refunded order', async () => {
    const server = new StandInServer()
    const free = { action: 'take_back_sale', url: null } as const
    const question = sampleAlert({ kind: 'sale_refunded', title: 'Silk dress', actions: [free, dismiss] })
    server.alerts.push(question)
    const { user } = await openPopup({ server })
    await dom.findByText('Refunded on Etsy before shipping. Do you still have it?')
    const kept = dom.getByRole('link', { name: /^I still have it: Refunded/ })
    expect(kept.getAttribute('href')).toBe(`/inventory.html#item/${question.inventory_item_uid}/unsold`)
    await user.click(await readyButton(/^It is gone: Refunded/))
    await waitFor(() => expect(server.alerts).toEqual([]))
  })

  it('are tried again at once, or dismissed', async () => {
    const server = new StandInServer()
    const next_try_at = new Date(Date.now() + 600_000).toISOString()
    const overdue = sampleAlert({
      progress: { state: 'retrying', attempts: 3, last_error: 'Etsy answered 500', next_try_at },
      actions: [retry, dismiss],
    })
    const relist = sampleAlert({ kind: 'relist_offer', title: 'Silk dress', relist_on: ['ebay'], actions: [dismiss] })
    server.alerts.push(overdue, relist)
    const { user } = await openPopup({ server })
    await dom.findByText(/Tried 3 times to end it\. Retrying\.$/)
    await user.click(await button(/^Retry now: Still live on Etsy/))
    await dom.findByText(/Tried 3 times to end it\. Trying again now\.$/)
    await user.click(await readyButton(/^Dismiss: Sale canceled/))
    await waitFor(() => expect(dom.queryByText(/^Sale canceled/)).toBeNull())
    expect(server.alerts).toEqual([overdue])
  })

  it('stay, quieter, while the end of a listing is only said', async () => {
    const server = new StandInServer()
    const advice = 'Etsy takes prices from 0.20 USD.'
    const overdue = sampleAlert({ title: 'Wool coat', advice, actions: [retry, dismiss] })
    server.alerts.push(overdue)
    const { user } = await openPopup({ server })
    await dom.findByText(/Etsy takes prices from \$0\.20\.$/)
    await user.click(await readyButton('I ended it: Still live on Etsy, Wool coat'))
    const words = await dom.findByText('You ended it on Etsy. Not seen yet')
    expect(words.closest('li')?.className).toBe('alert grave said')
    await user.click(await readyButton('Dismiss: You ended it on Etsy. Not seen yet, Wool coat'))
    await waitFor(() => expect(server.alerts).toEqual([]))
  })
})

describe('tasks', () => {
  it('lead to their page, and are done or dismissed', async () => {
    const server = new StandInServer()
    server.ebay = 'connected'
    const coat = sampleTask({ title: '<b>Wool</b> coat, green' })
    server.tasks.push(coat, sampleTask({ kind: 'list', platform: 'poshmark', title: 'Silk dress' }))
    const { user } = await openPopup({ server })
    const link = await dom.findByRole('link', { name: 'Open: Take it down on Depop, <b>Wool</b> coat, green' })
    expect(['href', 'target', 'rel'].map((name) => link.getAttribute(name))).toEqual([coat.url, '_blank', 'noreferrer'])
    await user.click(await button(/^Done: Take it down on Depop/))
    await waitFor(() => expect(dom.queryByText('Take it down on Depop')).toBeNull())
    await user.click(await readyButton('Dismiss: List it on Poshmark, Silk dress'))
    await dom.findByText('All done.')
    expect(server.tasks.map((task) => task.status)).toEqual(['completed', 'dismissed'])
  })

  it('leave the rest of the popup reachable', async () => {
    const server = new StandInServer()
    server.tasks.push(...Array.from({ length: 40 }, (_, n) => sampleTask({ title: `Thing ${n}` })))
    const { user } = await openPopup({ server })
    const tasks = () => dom.getAllByRole('button', { name: /^Done: / }).length
    const more = await button('Show 35 more')
    expect(tasks()).toBe(5)
    await user.click(more)
    expect(tasks()).toBe(25)
    expect(dom.getByRole('button', { name: 'Show 15 more' })).toBeTruthy()
  })

  it('have no link and no picture if their URLs are not on the web', async () => {
    const server = new StandInServer()
    server.tasks.push(sampleTask({ url: 'javascript:alert(1)', image: 'javascript:alert(2)' }))
    await openPopup({ server })
    const [row] = (await dom.findByText('Take it down on Depop')) && needs().getAllByRole('listitem')
    expect(within(row!).queryByRole('link')).toBeNull()
    expect(row!.querySelector('img')).toBeNull()
  })
})

describe('access to the server, revoked in the browser,', () => {
  it.each([
    ['popup', openPopup],
    ['page', openPage],
  ])('is requested again by a button of the %s', async (_, open) => {
    const server = new StandInServer()
    server.outage = 'network'
    vi.spyOn(home, 'mayReach').mockResolvedValue(false)
    const allow = vi.spyOn(host, 'allow')
    const { user } = await open({ server })
    await dom.findByText(/^The browser no longer lets Hapax reach hapax\.test\./)
    server.outage = null
    await user.click(await button('Allow'))
    await waitFor(() => expect(dom.queryByText(/^The browser no longer lets Hapax reach/)).toBeNull())
    expect(allow.mock.calls).toEqual([['https://hapax.test']])
  })
})

describe('search', () => {
  const field = () => dom.getByRole('combobox', { name: /^Search / })
  const options = () => dom.queryAllByRole('option')
  const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')

  it('opens by a slash, moves by arrows and opens the item', async () => {
    const server = new StandInServer()
    server.inventory.push(...sampleInventory(60))
    const open = vi.spyOn(host, 'openTab').mockReturnValue()
    const { user } = await openPopup({ server })
    await dom.findByPlaceholderText('Search 60 items')
    await user.keyboard('/')
    expect(document.activeElement).toBe(field())
    await user.keyboard('wool')
    const found = options().map((option) => option.textContent)
    expect(found.length).toBeGreaterThan(2)
    expect(active()?.textContent).toBe(found[0])
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(active()?.textContent).toBe(found[1])
    expect(dom.getAllByRole('option', { selected: true })).toEqual([active()])
    await user.keyboard('{Enter}')
    expect(open.mock.calls).toEqual([[expect.stringMatching(/#item\/inv_/)]])
  })

  it('shows up to 30 results and counts the others', async () => {
    const server = new StandInServer()
    server.inventory.push(...sampleInventory(60))
    const { user } = await openPopup({ server })
    await dom.findByPlaceholderText('Search 60 items')
    await user.type(field(), 'hx')
    expect(options()).toHaveLength(30)
    expect(dom.getByText('And 20 more. Type another word to narrow it down.')).toBeTruthy()
  })

  it('works offline, says so, and Escape closes it', async () => {
    const server = new StandInServer()
    server.inventory.push(...sampleInventory(3))
    const { user, reload } = await openPopup({ server })
    await dom.findByPlaceholderText('Search 3 items')
    server.faults.push({ operation: 'listInventory', code: 'network', times: 1_000 })
    reload()
    await dom.findByPlaceholderText('Search 3 items')
    await user.type(field(), 'nothing like this')
    await dom.findByText('No items match.')
    await dom.findByText('Offline. Searching 3 items.')
    await user.keyboard('{Escape}')
    expect(dom.queryByRole('listbox')).toBeNull()
    expect(field()).toHaveProperty('value', '')
  })
})

describe('without an answer of the server', () => {
  it('dates its data, and asks again by a button', async () => {
    const server = new StandInServer()
    server.ebay = 'connected'
    const { user, reload } = await openPopup({ server })
    await dom.findByText('All done.')
    server.outage = 'network'
    reload()
    await dom.findByText('Nothing needed you at that time.')
    expect(dom.getByText(/^Offline\. Showing 0 items from /)).toBeTruthy()
    expect(dom.queryByText('All done.')).toBeNull()
    server.outage = null
    await user.click(await button('Try again'))
    await dom.findByText('All done.')
  })
})

it('says once that listings need review', async () => {
  const server = new StandInServer()
  server.inventory.push(...sampleInventory(1))
  const at = new Date().toISOString()
  server.answers.set('listImportJobs', () => [
    {
      ...{ id: newId('job'), marketplace: 'ebay', status: 'completed', total_listings_found: 9, items_imported: 6 },
      ...{ items_skipped: 0, items_failed: 1, items_conflicted: 2, has_issues: true, issue_summary: '' },
      ...{ progress_percentage: 100, error_message: null, created_at: at, started_at: at, completed_at: at },
    } satisfies ImportJob,
  ])
  await openPopup({ server })
  await dom.findByText('2 listings need review')
  expect(dom.getAllByRole('button', { name: /^Review/ })).toHaveLength(1)
  expect(dom.queryByRole('heading', { name: 'Imports' })).toBeNull()
})

it('shows each shop once, as a dot', async () => {
  const server = new StandInServer()
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(3))
  await openPopup({ server })
  await dom.findByPlaceholderText('Search 3 items')
  expect(dom.getAllByText(/^eBay/, { ignore: '.hidden' })).toHaveLength(1)
  expect(within(dom.getByRole('list', { name: 'Shops' })).getAllByRole('listitem')).toHaveLength(5)
})

describe('settings', () => {
  it('are stored, and never allow more than one request a second', async () => {
    const { user } = await openPopup()
    await user.click(await button('Account and settings'))
    const settings = await dom.findByRole('region', { name: 'Settings' })
    const [pace] = within(settings).getAllByRole('combobox')
    expect([...(pace as HTMLSelectElement).options].map(({ value }) => Number(value))).toEqual([
      1_000, 2_000, 5_000, 10_000,
    ])
    const ask = (change: { pace_ms: number } | null) => host.send('popup.settings', { change })
    await user.selectOptions(pace!, '5000')
    await waitFor(async () => expect(await ask(null)).toMatchObject({ pace_ms: 5_000 }))
    await user.click(within(settings).getByRole('checkbox'))
    await waitFor(async () => expect(await ask(null)).toMatchObject({ pace_ms: 5_000, notify: false }))
    await expect(ask({ pace_ms: 10 })).rejects.toMatchObject({ code: 'refused_message' })
  })
})
