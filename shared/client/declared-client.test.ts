import { describe, expect, it } from 'vitest'
import { createInventoryItem, listInventory } from '../contract/catalog/inventory.ts'
import { listEvents } from '../contract/events.ts'
import { listTasks } from '../contract/selling/tasks.ts'
import { createClient } from './declared-client.ts'
import { HapaxError } from './error.ts'

const clientOf = (status: number, body: unknown) =>
  createClient({ baseUrl: 'https://hapax.test', fetch: async () => Response.json(body, { status }) })

const listing = (more: object = {}) => ({
  platform: 'ebay',
  listing_id: '1',
  url: 'https://www.ebay.com/itm/1',
  state: 'available',
  price_minor: 4_200,
  currency: 'USD',
  ...more,
})

const at = '2026-05-05T10:00:00.000Z'
const item = (uid: string, more: object = {}, record: object = {}) => ({
  uid,
  sku: null,
  description: '',
  attributes: {},
  version: 1,
  created_at: at,
  updated_at: at,
  seller_account_uids: [],
  listings: [listing()],
  record: {
    physical_item_id: uid,
    product_id: uid,
    offer_id: uid,
    title: 'Coat',
    canonical_url: 'https://hapax.test/i/1',
    images: ['https://hapax.test/1.jpg'],
    condition: { label: 'Good', notes: '', inspected_at: '2026-05-05', evidence_urls: [] },
    offer: {
      ...{ price_minor: 4_200, currency: 'USD', quantity: 1, availability: 'available', observed_at: at },
      seller_url: 'https://hapax.test/',
      shipping_policy_url: 'https://hapax.test/',
      returns_policy_url: 'https://hapax.test/',
    },
    lifecycle: { version: '1', state: 'available', updated_at: at },
    ...record,
  },
  ...more,
})
const readInventory = async (...items: object[]) =>
  (await clientOf(200, { results: items, next_cursor: null })(listInventory, { query: {} })).results

describe('an answer of a newer server', () => {
  it('loses the listings on platforms and in states that are not known', async () => {
    const listings = [
      listing({ platform: 'vinted', state: 'frozen', listing_id: 'new' }),
      listing({ listing_id: '1' }),
      listing({ state: 'scheduled', listing_id: '2' }),
      listing({ platform: 'vinted', listing_id: '3' }),
      listing({ platform: 'etsy', listing_id: '4' }),
    ]
    const read = await readInventory(item('inv_1'), item('inv_2', { listings }), item('inv_3'))
    expect(read.map(({ uid }) => uid)).toEqual(['inv_1', 'inv_2', 'inv_3'])
    expect(read[1]!.listings!.map(({ listing_id }) => listing_id)).toEqual(['1', '4'])
  })

  it('loses members that are not known, at any depth', async () => {
    const offer = { ...item('inv_1').record.offer, tax: 'included' }
    const [read] = await readInventory(item('inv_1', { rating: 5 }, { provenance: 'attic', offer }))
    expect(read).toEqual(item('inv_1'))
  })

  it('loses the rows of a page with a value that is not known', async () => {
    const row = (uid: string, kind: string) => ({
      ...{
        uid,
        kind,
        status: 'open',
        platform: 'depop',
        inventory_item_uid: 'inv_1',
        title: '',
        image: null,
        reason: '',
      },
      ...{ url: '', listing_id: null, price_minor: null, currency: null, created_at: at },
    })
    const call = clientOf(200, {
      results: [row('1', 'list'), row('2', 'relist'), row('3', 'delist')],
      next_cursor: null,
    })
    expect((await call(listTasks, { query: {} })).results.map(({ uid }) => uid)).toEqual(['1', '3'])
  })

  it('loses events of a type that is not known', async () => {
    const event = (seq: number, type: string) => ({
      ...{ id: `evt_${seq}`, seq, type, timestamp: at, inventory_item_uid: null, data: {} },
    })
    const call = clientOf(200, { results: [event(1, 'item.graded'), event(2, 'item.created')], last_seq: 2 })
    expect((await call(listEvents, { query: {} })).results).toMatchObject([{ seq: 2 }])
  })

  it('keeps the words of a problem whose code is not known', async () => {
    const problem = {
      type: 'x',
      title: 'Frozen',
      status: 423,
      detail: 'The item is frozen.',
      code: 'frozen',
      request_id: 'r',
    }
    const error = await clientOf(423, problem)(listInventory, { query: {} }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 423, code: 'frozen', message: 'The item is frozen.', requestId: 'r' })
  })
})

describe('an answer that is no answer of ours', () => {
  it.each([
    ['a page of another program', { hello: 'world' }],
    ['a missing value', { results: [item('inv_1', { listings: [listing({ state: undefined })] })], next_cursor: null }],
    ['a value of another type', { results: [item('inv_1', { listings: [listing({ state: 7 })] })], next_cursor: null }],
    [
      'a wrong number among unknown members',
      { results: [item('inv_1', { version: 'x', rating: 1 })], next_cursor: null },
    ],
    ['no JSON', null],
  ])('is refused: %s', async (_name, body) => {
    const error = await clientOf(200, body)(listInventory, { query: {} }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(HapaxError)
    expect(error).toMatchObject({ code: 'bad_answer' })
  })
})

describe('a request', () => {
  it('is sent once, without a key for repeats', async () => {
    const sent: RequestInit[] = []
    const call = createClient({
      baseUrl: 'https://hapax.test',
      token: 'hpxt_1',
      fetch: async (_url, init) => {
        sent.push(init)
        return Response.json({ code: 'rate_limited' }, { status: 429, headers: { 'retry-after': '2' } })
      },
    })
    const body = { title: 'x', images: [], condition: { label: 'x' }, offer: { price_minor: 1 } }
    await expect(call(createInventoryItem, { body })).rejects.toMatchObject({ status: 429, retryAfterMs: 2_000 })
    expect(sent).toHaveLength(1)
    expect(sent[0]!.headers).toEqual({ 'content-type': 'application/json', authorization: 'Bearer hpxt_1' })
  })
})
