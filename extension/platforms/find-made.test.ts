import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { depopForm } from './depop/form.ts'
import { mercariForm } from './mercari/form.ts'
import { poshmarkForm } from './poshmark/form.ts'
import type { Afterwards, Ask } from './sell-form/form.ts'

const since = Date.UTC(2026, 0, 5)
const title = 'Wool coat, green'

beforeEach(() => {
  const ui = encodeURIComponent(JSON.stringify({ dh: 'vera' }))
  vi.stubGlobal('document', { cookie: `a=1; ui=${ui}` })
})
afterEach(() => vi.unstubAllGlobals())

interface Stated {
  seller: string
  title: string
}

/** Per platform: the listing's page, the platform's answer about it, and its id. */
const platforms = [
  {
    name: 'Poshmark, by what the page asked for',
    form: poshmarkForm,
    id: poshId(since + 60_000),
    url: () => 'https://poshmark.com/create-listing',
    requests: (id: string) => [`https://poshmark.com/vm-rest/posts/${id}/status/published`],
    answer: poshmarkAnswer,
    account: null,
  },
  {
    name: 'Poshmark, by its page',
    form: poshmarkForm,
    id: poshId(since + 60_000),
    url: (id: string) => `https://poshmark.com/listing/Wool-coat-${id}`,
    requests: () => [],
    answer: poshmarkAnswer,
    account: null,
  },
  {
    name: 'Mercari, by its page',
    form: mercariForm,
    id: 'm90000000001',
    url: (id: string) => `https://www.mercari.com/us/item/${id}/`,
    requests: () => [],
    answer: mercariAnswer,
    account: '910000017',
  },
  {
    name: 'Depop, by its page',
    form: depopForm,
    id: '7654321004',
    url: () => 'https://www.depop.com/products/vera-wool-coat-a004/',
    requests: () => [],
    answer: (_id: string, stated: Stated) => {
      const user_id = stated.seller === 'vera' ? 7_654_321 : 1_111
      return JSON.stringify({
        id: 7_654_321_004,
        user_id,
        status: 'STATUS_ONSALE',
        description: `${stated.title}\n\nWarm.`,
      })
    },
    account: JSON.stringify({ id: '7654321', username: 'vera' }),
  },
] as const

function poshId(ms: number): string {
  return `${Math.floor(ms / 1_000).toString(16)}${'0'.repeat(16)}`
}

function poshmarkAnswer(id: string, stated: Stated): string {
  return JSON.stringify({ data: { id, creator_username: stated.seller, status: 'published', title: stated.title } })
}

function mercariAnswer(id: string, stated: Stated, created = since / 1_000 + 60): string {
  const seller = { __ref: `PublicUser:${stated.seller === 'vera' ? 910_000_017 : 920_000_023}` }
  const state = { [`ItemDetail:${id}`]: { id, name: stated.title, seller, created, status: 'on_sale' } }
  const json = JSON.stringify({ props: { pageProps: { serverState: state } } })
  return `<html><script id="__NEXT_DATA__" type="application/json">${json}</script></html>`
}

describe.each(platforms)('findMade on $name', ({ form, id, url, requests, answer, account }) => {
  const seen = (changes: Partial<Afterwards> = {}): Afterwards => ({
    url: url(id),
    requests: requests(id),
    since,
    title,
    known: [],
    account: async () => account,
    ...changes,
  })
  const saying =
    (stated: Partial<Stated>): Ask =>
    async (request) => ({ url: request.url, status: 200, text: answer(id, { seller: 'vera', title, ...stated }) })

  it('is sure when the seller and the title match', async () => {
    expect(await form.findMade(seen(), saying({}))).toMatchObject({ listing_id: id, sure: true })
  })

  it('is unsure when the title differs', async () => {
    expect(await form.findMade(seen(), saying({ title: 'Something else' }))).toMatchObject({ sure: false })
  })

  it('ignores listings of other sellers', async () => {
    expect(await form.findMade(seen(), saying({ seller: 'stranger' }))).toBeNull()
  })

  it('ignores listings that are already known', async () => {
    expect(await form.findMade(seen({ known: [id] }), saying({}))).toBeNull()
  })

  it('is unsure when the seller is unknown', async () => {
    const made = await form.findMade(seen(), async () => null)
    expect(made?.sure ?? false).toBe(false)
    vi.stubGlobal('document', { cookie: '' })
    const unknown = await form.findMade(seen({ account: async () => null }), saying({}))
    expect(unknown?.sure ?? false).toBe(false)
  })
})

describe('findMade', () => {
  const mercariSeen = (path: string): Afterwards => ({
    url: `https://www.mercari.com${path}`,
    requests: [],
    since,
    title,
    known: [],
    account: async () => null,
  })
  const saying =
    (text: string): Ask =>
    async (request) => ({ url: request.url, status: 200, text })

  it('is sure on Mercari’s confirmation page if the title matches', async () => {
    const page = mercariSeen('/sell/confirmation/m90000000001/')
    const id = 'm90000000001'
    const sure = async (text: string) => (await mercariForm.findMade(page, saying(text)))?.sure
    expect(await sure(mercariAnswer(id, { seller: 'vera', title }))).toBe(true)
    expect(await sure(mercariAnswer(id, { seller: 'vera', title: 'Something else' }))).toBe(false)
    expect(await sure('<html></html>')).toBe(false)
  })

  it('ignores listings older than the form', async () => {
    const text = mercariAnswer('m9', { seller: 'vera', title }, since / 1_000 - 86_400)
    const page = { ...mercariSeen('/us/item/m9/'), account: async () => '910000017' }
    expect(await mercariForm.findMade(page, saying(text))).toBeNull()
  })

  it.each([
    ['joined if it is newer', '2026-01-06T20:38:53Z', { listing_id: '7654321004', sure: true }],
    ['asked about if its age is unknown', undefined, { listing_id: '7654321004', sure: false }],
    ['left alone if it is older', '2025-12-01T20:38:53Z', null],
  ])('takes a product in Depop’s hub that was a draft: %s', async (_, created_at, expected) => {
    const product = {
      ...{ id: 7_654_321_004, slug: 'vera-wool-coat-a004', user_id: 7_654_321, status: 'STATUS_ONSALE' },
      description: `${title}\n\nWarm.`,
    }
    const answers = async ({ url }: { url: string }) => {
      const body = /edit-listing/.test(url) ? { ...product, created_at } : { ...product, objects: [product] }
      return { url, status: 200, text: JSON.stringify(body) }
    }
    const page = {
      ...mercariSeen(''),
      url: 'https://www.depop.com/sellinghub/selling/active/',
      account: async () => JSON.stringify({ id: '7654321', username: 'vera' }),
    }
    const made = await depopForm.findMade(page, answers)
    if (expected) expect(made).toMatchObject(expected)
    else expect(made).toBeNull()
  })

  it('does not take the edit form of a draft on Poshmark for the listing', async () => {
    const id = poshId(since + 60_000)
    const page = { ...mercariSeen(''), url: `https://poshmark.com/edit-listing/${id}` }
    const post = { data: { id, creator_username: 'vera', status: 'draft', title } }
    expect(await poshmarkForm.findMade(page, saying(JSON.stringify(post)))).toBeNull()
  })

  it('matches a title that the form truncated', async () => {
    const long = `${'Wool coat, green, size M, '.repeat(5)}lined`
    const cut = long.slice(0, 78)
    const page = { ...mercariSeen('/us/item/m9/'), title: long, account: async () => '910000017' }
    const text = mercariAnswer('m9', { seller: 'vera', title: cut })
    expect(await mercariForm.findMade(page, saying(text))).toMatchObject({ sure: true })
  })
})
