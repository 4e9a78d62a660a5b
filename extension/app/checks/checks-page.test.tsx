// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { closeScreen, dom, openPage, reads, waitFor, within } from '#extension/testing/screen.tsx'
import { Refused, StandInServer } from '#extension/testing/stand-in-server.ts'
import type { Check } from '#shared/contract/catalog/checks.ts'
import { newId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

afterEach(closeScreen)

const now = new Date().toISOString()
const dialog = () => within(document.querySelector('dialog')!)

function listing(marketplace: PlatformSlug, given: Partial<Check['listings'][number]> = {}): Check['listings'][number] {
  return {
    ...{ inventory_item_uid: newId('inv'), marketplace, seller_account_uid: newId('sel'), listing_id: newId('itm') },
    ...{ url: `https://www.${marketplace}.com/1`, state: 'available', price_minor: 4_250, currency: 'USD' },
    ...{ to_mend: true, ...given },
  }
}

function finding(kind: Check['kind'], given: Partial<Check> = {}): Check {
  return {
    ...{ uid: newId('chk'), kind, message: 'Something.', since: now, inventory_item_uid: newId('inv') },
    ...{ item_title: `Coat with ${kind}`, item_image: null, item_state: 'available', sold_on: null, witness: null },
    ...{ read_at: null, taking_down: [], listings: [], action: 'take_down', manual: [], alert_uid: null },
    ...{ difference_uid: null, task_uid: null, conflict: null, can_dismiss: false, ...given },
  }
}

/** A server with a finding of each kind. Those that are mended or accepted leave its list. */
function withFindings() {
  const server = new StandInServer()
  const { checks, answers } = server
  const manual = [{ marketplace: 'depop', url: 'https://www.depop.com/products/1' }] as Check['manual']
  checks.push(
    finding('sold_live', { sold_on: 'ebay', item_state: 'sold', listings: [listing('etsy'), listing('poshmark')] }),
    finding('sold_live', { sold_on: 'ebay', item_state: 'sold', listings: [listing('depop')], manual }),
    finding('sale_unconfirmed', {
      action: 'open',
      sold_on: 'ebay',
      witness: 'api',
      item_state: 'sold',
      read_at: now,
      manual,
    }),
    finding('listed_twice', { action: 'keep_one', listings: [listing('ebay'), listing('ebay', { to_mend: false })] }),
    finding('shop_unread', { action: 'open', item_title: null, inventory_item_uid: null, manual }),
    finding('price_differs', {
      ...{ action: 'set_price', can_dismiss: true },
      listings: [listing('ebay', { price_minor: 3_900, new_price_minor: 4_250 })],
    }),
  )
  const done: string[] = []
  const leave = (what: string, uid: string) => {
    done.push(`${what} ${checks.find((one) => one.uid === uid)?.kind}`)
    checks.splice(0, checks.length, ...checks.filter((one) => one.uid !== uid))
  }
  answers.set('mendCheck', ({ params }) => {
    leave('mend', params.uid!)
    return { status: 'started', manual: [] }
  })
  answers.set('dismissCheck', ({ params }) => {
    leave('dismiss', params.uid!)
    return null
  })
  answers.set('runChecks', () => {
    done.push('run')
    return { found: checks.length, checked_at: now }
  })
  return { server, done }
}

it('says what is wrong, the most urgent first', async () => {
  await openPage({ server: withFindings().server, hash: '#checks' })
  await dom.findByRole('heading', { name: /Sold and still live/ })
  expect(dom.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    'Sold and still live2',
    'Sales that nothing else confirms1',
    'Listed twice on one marketplace1',
    'Shops not read for days1',
    'Below your price rules1',
  ])
  dom.getByText('Sold on eBay. Still live on Etsy and Poshmark.')
  dom.getByText('Sold on eBay, as its listing shows. No order says so.')
  dom.getByText('Live for $39.00 on eBay.')
})

it('mends by one press each', async () => {
  const { server, done } = withFindings()
  const { user } = await openPage({ server, hash: '#checks' })
  await user.click(await dom.findByRole('button', { name: 'End 2 listings: Coat with sold_live' }))
  await dom.findByText('Hapax is on it')
  await user.click(await dom.findByRole('button', { name: 'End the other listing: Coat with listed_twice' }))
  await waitFor(() => expect(done).toHaveLength(2))
  await user.click(await dom.findByRole('button', { name: 'Set eBay to $42.50: Coat with price_differs' }))
  await waitFor(() => expect(done).toHaveLength(3))
  expect(done).toEqual(['mend sold_live', 'mend listed_twice', 'mend price_differs'])
})

const below = (n: number, given: Partial<Check> = {}) =>
  finding('price_differs', {
    ...{ action: 'set_price', can_dismiss: true, item_title: `Coat ${n}`, ...given },
    listings: [listing('ebay', { price_minor: 3_900, new_price_minor: 4_250 })],
  })

it('answers all of a kind by one press', async () => {
  const { server, done } = withFindings()
  const twice = () => finding('listed_twice', { action: 'keep_one', can_dismiss: true, listings: [listing('ebay')] })
  server.checks.splice(0, 99, twice(), twice())
  const { user } = await openPage({ server, hash: '#checks' })
  await user.click(await dom.findByRole('button', { name: 'Leave all 2' }))
  await waitFor(() => expect(done).toEqual(['dismiss listed_twice', 'dismiss listed_twice']))
})

it('sends prices only once each was seen beside the old one', async () => {
  const { server, done } = withFindings()
  const manual: Check['manual'] = [{ marketplace: 'depop', url: 'https://www.depop.com/products/1' }]
  // Two pages, with one that only the seller can change.
  server.checks.splice(0, 99, ...Array.from({ length: 120 }, (_, n) => below(n)), below(120, { manual }))
  const all = [...server.checks]
  server.answers.set('listChecks', ({ query }) => {
    const first = (Number(query.page) - 1) * 100
    const counts = { price_differs: server.checks.length }
    const results = server.checks.slice(first, first + 100)
    return { count: server.checks.length, results, counts, checked_at: now }
  })
  const { user } = await openPage({ server, hash: '#checks' })
  await dom.findByRole('heading', { name: 'Below your price rules 121' })
  await user.click(dom.getByRole('button', { name: 'Review prices…' }))
  const row = await dialog().findByRole('row', { name: /Coat 7 eBay \$39\.00 → \$42\.50/ })
  expect(dialog().getAllByRole('row')).toHaveLength(121)
  expect(done).toEqual([])
  await user.click(within(row).getByRole('checkbox'))
  await user.click(dialog().getByRole('button', { name: 'Set 119 prices' }))
  await waitFor(() => expect(done).toHaveLength(119))
  expect(server.checks).toEqual([all[7], all[120]])
})

it('still says what failed after the others of its kind', async () => {
  const { server } = withFindings()
  const twice = () => finding('listed_twice', { action: 'keep_one', can_dismiss: true, listings: [listing('ebay')] })
  const [first, second] = [twice(), twice()]
  server.checks.splice(0, 99, first, second)
  server.answers.set('dismissCheck', ({ params }) => {
    if (params.uid === first.uid) throw new Refused('conflict')
    server.checks.splice(1, 1)
    return null
  })
  const { user } = await openPage({ server, hash: '#checks' })
  await user.click(await dom.findByRole('button', { name: 'Leave all 2' }))
  await waitFor(() => expect(server.checks).toEqual([first]))
  await dom.findByRole('heading', { name: 'Listed twice on one marketplace 1' })
  expect(dom.getByRole('alert').textContent).not.toBe('')
})

it('opens the listing that only the seller can end', async () => {
  await openPage({ server: withFindings().server, hash: '#checks' })
  const link = await dom.findByRole('link', { name: 'Open Depop: Coat with sold_live' })
  expect(link.getAttribute('href')).toBe('https://www.depop.com/products/1')
})

it('checks again when asked, and says that all is well', async () => {
  const { server, done } = withFindings()
  server.checks.splice(0, 99)
  const { user } = await openPage({ server, hash: '#checks' })
  await user.click(await dom.findByRole('button', { name: 'Check now' }))
  await waitFor(() => expect(done).toEqual(['run']))
  await dom.findByRole('heading', { name: 'Everything is as it should be' })
})

it('stands on the first screen with its number', async () => {
  await openPage({ server: withFindings().server, hash: '#home' })
  await dom.findByText(
    '2 sold items are still live · 1 sale not confirmed · 1 item live twice · 1 shop not read for days · 1 price below its rule',
  )
})

it('says what is held for a sale that only a mail tells, and frees it', async () => {
  const { server } = withFindings()
  const read_at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const told = finding('sale_unconfirmed', {
    ...{ action: 'open', sold_on: 'mercari', witness: 'mail', item_state: 'reserved', read_at, item_title: 'Scarf' },
    ...{ taking_down: ['ebay'], ended_on: ['etsy'], waiting_on: ['depop'], can_free: true },
    manual: [{ marketplace: 'mercari', url: 'https://www.mercari.com/mypage/listings/in_progress/' }],
  })
  server.checks.splice(0, 99, told)
  server.answers.set('takeBackSale', ({ params }) => {
    server.checks.splice(0)
    return { uid: params.uid, state: 'available', change_uid: newId('chg') }
  })
  const { user } = await openPage({ server, hash: '#checks' })
  await dom.findByText('Sold on Mercari by mail.')
  const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' }).format(new Date(read_at))
  await reads(`Its page was not read since ${weekday}.`)
  await reads(/Ending it on eBay\. Down on Etsy\. Waits for you on Depop\./)
  expect(dom.getByRole('link', { name: 'Open Mercari: Scarf' })).toBeTruthy()
  await user.click(dom.getByRole('button', { name: 'It was no sale: Scarf' }))
  await dom.findByText('The item is available again')
  dom.getByRole('button', { name: 'Undo' })
})
