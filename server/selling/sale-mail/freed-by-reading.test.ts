import { describe, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { until } from '#e2e/harness/until.ts'
import { type MailSeller, useSaleMail } from './testing/harness.ts'

const harness = useSaleMail()
const { build, list, deliver, stateOf } = harness
const dbOf = () => harness.server.services.db

const listing_id = 'm10000000001'
const camera = { title: 'Film Camera Compact 35mm', price_minor: 12_000, listing_ids: { mercari: listing_id } } as const
const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000)

const post = async (seller: MailSeller, path: string, body?: object) => {
  const call = { headers: seller.bearer, ...(body && { body }) }
  const reply = await apiOf(harness.server.url)('POST', `/api/v1/extension/${path}`, call)
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  return reply.body
}

const shopOf = ({ user_id }: MailSeller) => ({ username: `ada_${user_id}` })

/** Opens an import of the seller's Mercari shop. */
const begin = async (seller: MailSeller, given: object = {}) => {
  const shop = { ...shopOf(seller), url: 'https://www.mercari.com/u/ada/' }
  return (await post(seller, 'imports/', { platform: 'mercari', shop, ...given })).id as string
}

/** Sends the listing as a page showed it, and ends the import. */
const show = async (
  seller: MailSeller,
  job: string,
  given: { listing_id?: string; state?: 'available' | 'sold' } = {},
) => {
  const { title, price_minor } = camera
  const listing = buildListing({
    title,
    price_minor,
    listing_id,
    url: 'https://www.mercari.com/us/item/m10000000001/',
    ...given,
  })
  await post(seller, `imports/${job}/batches/`, { batch_id: 'a', listings: [listing] })
  await post(seller, `imports/${job}/complete/`)
}

/** Reports the listing as on offer, as a check in the seller's tab does. */
const report = (seller: MailSeller, seen_at: Date, listing_ids = [listing_id]) =>
  post(seller, 'sales/', {
    ...{ platform: 'mercari', shop: shopOf(seller), listing_ids },
    ...{ state: 'on_offer', seen_at: seen_at.toISOString() },
  })

const alertsOf = ({ user_id }: MailSeller) =>
  dbOf().map("select kind from alert where user_id = $1 and state = 'open'", [user_id], ({ kind }) => kind)

async function held() {
  const seller = await build(['poshmark', 'mercari'])
  const item = await list(seller, camera)
  expect(await deliver(seller, 'mercari-sale', { date: minutesAgo(5) })).toMatchObject({ outcome: 'held' })
  expect(await stateOf(item)).toBe('reserved')
  return { seller, item }
}

describe('an item that only a mail holds', () => {
  it('is freed by the next reading that shows its listing on offer', async () => {
    const { seller, item } = await held()
    await show(seller, await begin(seller))
    expect(await stateOf(item)).toBe('available')
    expect(await alertsOf(seller)).toEqual(['relist_offer'])
    const tasks = await dbOf().map('select status from extension_task where item_uid = $1', [item], (row) => row.status)
    expect(tasks).toEqual(['dismissed'])
    const move = await dbOf().one(
      "select reason, witness from inventory_history where item_uid = $1 and to_state = 'available' and from_state = 'reserved'",
      [item],
    )
    expect(move).toMatchObject({ witness: 'page' })
    const [listed] = await dbOf().any(
      "select state from channel_listing where item_uid = $1 and platform = 'mercari'",
      [item],
    )
    expect(listed.state).toBe('available')
  })

  it('is freed by a check that sees its listing on offer', async () => {
    const { seller, item } = await held()
    const { results } = await report(seller, new Date())
    expect(results).toEqual([{ listing_id, state: 'freed' }])
    expect(await stateOf(item)).toBe('available')
    expect((await report(seller, new Date())).results).toEqual([{ listing_id, state: 'known' }])
  })

  it.each([
    [
      'an import',
      async (seller: MailSeller, since: Date) =>
        show(seller, await begin(seller, { reading_since: since.toISOString() })),
    ],
    ['a check', (seller: MailSeller, since: Date) => report(seller, since)],
  ])('stays held by %s whose pages were read before the mail', async (_, read) => {
    const { seller, item } = await held()
    await read(seller, minutesAgo(6))
    expect(await stateOf(item)).toBe('reserved')
    // A clock that is ahead counts as now.
    await read(seller, minutesAgo(-60))
    expect(await stateOf(item)).toBe('available')
  })

  it('stays held by an import that began before the mail came in', async () => {
    const seller = await build()
    const item = await list(seller, camera)
    const job = await begin(seller)
    await deliver(seller, 'mercari-sale', { date: minutesAgo(5) })
    await show(seller, job)
    expect(await stateOf(item)).toBe('reserved')
    await show(seller, await begin(seller))
    expect(await stateOf(item)).toBe('available')
  })

  it('stays held by another listing that is on offer', async () => {
    const { seller, item } = await held()
    await report(seller, new Date(), ['m10000000002'])
    const [poshmark] = await dbOf().any(
      "select listing_id from channel_listing where item_uid = $1 and platform = 'poshmark'",
      [item],
    )
    const body = {
      platform: 'poshmark',
      shop: shopOf(seller),
      listing_ids: [poshmark.listing_id],
      state: 'on_offer',
      seen_at: new Date().toISOString(),
    }
    await post(seller, 'sales/', body)
    expect(await stateOf(item)).toBe('reserved')
  })

  it('is sold by the next reading that shows it sold', async () => {
    const { seller, item } = await held()
    await show(seller, await begin(seller), { state: 'sold' })
    expect(await stateOf(item)).toBe('sold')
  })

  it('is held again by the mail of a later sale, and by no copy of the first', async () => {
    const { seller, item } = await held()
    const since = new Date()
    const date = new Date(since.getTime() + 1_000)
    await until(() => new Date() > date)
    // The page was read before the second sale, and arrives after it.
    await report(seller, since)
    expect(await deliver(seller, 'mercari-sale', { date: minutesAgo(5) })).toMatchObject({ reason: 'replayed' })
    const unsigned = { headers: ['From', 'To', 'Subject'], signedAt: minutesAgo(5) }
    expect(await deliver(seller, 'mercari-sale', unsigned)).toMatchObject({ reason: 'replayed' })
    expect(await stateOf(item)).toBe('available')
    expect(await deliver(seller, 'mercari-sale', { date })).toMatchObject({ outcome: 'held' })
    expect(await stateOf(item)).toBe('reserved')
  })
})
