import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { answerFindings, examine, isReady, listGenerated } from '#server/integrations/testing/seller-answers.ts'
import { createDice } from '#server/sandbox/ebay/shop.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '../testing/ebay-sandbox.ts'

const sellers = ['flat_fay', 'calculated_cat']
let running: RunningEbaySandbox
let port: ListingPort
const urls: string[] = []
const access: Record<string, ShopAccess> = {}
beforeAll(async () => {
  const counted = (url: string, init?: RequestInit) => {
    urls.push(url)
    return fetch(url, init)
  }
  running = await startEbaySandbox(
    { usual: false, sellers: sellers.map((username) => ({ username, items: [] })) },
    { fetch: counted },
  )
  port = running.adapter.listings!
  for (const seller of sellers) access[seller] = running.accessOf(seller)
})
afterAll(() => running?.sandbox.close())

/** Words for which the sandbox suggests a category each. */
const kinds = [
  'denim jacket',
  'silk blouse',
  'trench overcoat',
  'corduroy trousers',
  'pleated skirt',
  'cable sweater',
  'leather belt',
  'tea dress',
  'flannel shirt',
  'ankle boots',
  'wool scarf',
  'rangefinder camera',
  'hardcover novel',
  'pokemon holo',
  'smartphone',
  'running sneakers',
  'tote handbag',
  'chronograph wristwatch',
  'gold necklace',
  'pearl earrings',
  'vinyl lp',
  'nintendo cartridge',
  'western dvd',
  'fashion magazine',
  'golden age comic',
  'steel penny coin',
  'topps rookie',
  'airmail stamp',
  'travel poster',
  'stoneware teapot',
  'patchwork quilt',
  'brass lantern',
  'typewriter',
  'stratocaster guitar',
  'lego castle',
  'oddment',
]
const dice = createDice(20261124)
const { pick, between, chance: maybe } = dice

function generate(index: number): PublishRequest {
  const kind = kinds[index % kinds.length]!
  const labels = ['Used', 'New with tags', 'Very good', 'Like new', 'Graded 9.5', 'For parts', 'Fair', 'As found']
  return {
    externalKey: `PRE-${index}-abcdefghijklm`,
    sku: maybe(0.5) ? `S ${index}` : null,
    title:
      `${pick(['Vintage', '1970s', 'Rare', 'Handmade'])} ${kind} ${pick(['Navy', 'Black', '№ 5 & more', 'ünique 🌸'])} ${maybe(0.2) ? 'x'.repeat(90) : ''}`.trim(),
    description: maybe(0.2) ? '' : `<p>Found in a loft.</p>${maybe(0.3) ? '<script>alert(1)</script>' : ''}`,
    price_minor: between(1, 100_000),
    currency: 'USD',
    images: Array.from({ length: between(1, 30) }, (_, n) => `https://pictures.example.com/${index}/${n}.jpg`),
    condition: { label: pick(labels), notes: maybe(0.6) ? 'A scratch. '.repeat(maybe(0.1) ? 200 : 1) : '' },
    attributes: {
      ...(maybe(0.5) ? { brand: pick(['Levi’s', 'Canon', 'Nobody’s']) } : {}),
      ...(maybe(0.4) ? { size: pick(['Medium', '10', 'one size', '44R']) } : {}),
      ...(maybe(0.4) ? { colors: [pick(['Navy', 'Rust', 'Puce'])] } : {}),
      ...(maybe(0.3) ? { isbn: pick(['978-0-306-40615-7', 'unknown', '0306406152']) } : {}),
      ...(maybe(0.3) ? { mpn: 'AE-1' } : {}),
      ...(maybe(0.5) ? { weight_grams: 300, parcel: { length_mm: 300, width_mm: 200, height_mm: 100 } } : {}),
    },
    address: { full_name: 'Cat', line1: '1 Quay', city: 'Portland', region: 'ME', postal_code: '04101', country: 'US' },
    options: {},
  }
}

describe('preflight of eBay listings', () => {
  it('finds everything that eBay refuses, in 36 kinds of items', async () => {
    const accessOf = (index: number) => access[sellers[index % 2]!]!
    const { listed, refused, lackedAtFirst } = await listGenerated(port, { count: 324, generate, accessOf }, dice)
    expect(refused).toEqual([])
    expect(new Set(listed.map(({ category_id }) => category_id)).size).toBeGreaterThanOrEqual(30)
    // Most items must lack something at first, or the preflight would not be tested.
    expect(lackedAtFirst).toBeGreaterThan(100)
  })

  const faults: [string, Partial<PublishRequest>, string][] = [
    ['no photo', { images: [] }, 'images picture_required'],
    ['an unknown category', { options: { category_id: '999999999' } }, 'options.category_id not_allowed'],
    [
      'a condition that the category does not accept',
      { options: { condition: 'USED_ACCEPTABLE' } },
      'options.condition not_allowed',
    ],
    [
      "another seller's policy",
      { options: { payment_policy_id: '285000000001' } },
      'options.payment_policy_id not_allowed',
    ],
    [
      'an aspect that is too long',
      { options: { aspects: { Model: ['x'.repeat(66)] } } },
      'options.aspects.Model too_long',
    ],
    ['a price below the least of the site', { price_minor: 98 }, 'price price_too_low'],
    ['a site with another currency', { options: { marketplace_id: 'EBAY_DE' } }, 'options.marketplace_id not_allowed'],
  ]
  it.each(faults)('blocks %s, which eBay refuses', async (_name, given, expected) => {
    const item = { ...generate(11), title: 'Canon film camera', condition: { label: 'Used', notes: '' }, ...given }
    const outcome = await answerAndExamine(item)
    expect(outcome).toContain(expected)
    const { item: complete } = await answerFindings(port, access.flat_fay!, { ...item, options: {} }, dice).catch(
      () => ({ item }),
    )
    const sent = { ...complete, options: { ...complete.options, ...item.options } }
    await expect(port.publish(access.flat_fay!, sent, async () => {})).rejects.toMatchObject({ failure: 'refused' })
  })

  /** Returns the blocking findings; a refused read counts as one. */
  async function answerAndExamine(item: PublishRequest): Promise<string[]> {
    try {
      const { findings } = await examine(port, access.flat_fay!, item)
      return findings.filter(({ blocking }) => blocking).map(({ field, code }) => `${field} ${code}`)
    } catch (error) {
      return [
        (error as { platformCode?: string }).platformCode === 'category'
          ? 'options.category_id not_allowed'
          : String(error),
      ]
    }
  }

  it('reads the least price of a site once', async () => {
    const item = { ...generate(11), title: 'Canon film camera' }
    const price = async (price_minor: number) =>
      (await examine(port, access.flat_fay!, { ...item, price_minor })).findings.filter(
        ({ field }) => field === 'price',
      )
    expect(await price(99)).toEqual([])
    expect(await price(50)).toMatchObject([{ code: 'price_too_low', message: expect.stringContaining('0.99 USD') }])
    expect(urls.filter((url) => url.includes('EBAY_US/get_minimum_listing_price_policies'))).toHaveLength(1)
  })

  it('says of a size once that it is missing or no standard one', async () => {
    const item = { ...generate(0), title: 'Denim jacket', attributes: { size: 'fits like M' } }
    const { findings } = await examine(port, access.flat_fay!, item)
    expect(findings.filter(({ field }) => field === 'options.aspects.Size')).toMatchObject([
      { code: 'recommended', blocking: false, allowed: expect.arrayContaining([{ id: 'M', name: 'M' }]) },
    ])
  })

  it('asks for the condition where the words of the item name none', async () => {
    const titles = ['Canon film camera', 'Denim jacket', 'Stoneware teapot']
    const asked = titles.map(async (title) => {
      const item = { ...generate(0), title, condition: { label: 'Sehr kaputt', notes: '' } }
      return (await examine(port, access.flat_fay!, item)).findings
    })
    const finding = { field: 'options.condition', code: 'choice_required', blocking: true }
    for (const findings of await Promise.all(asked)) expect(findings).toContainEqual(expect.objectContaining(finding))
  })

  it('does not look up a category unless allowed', async () => {
    const item = { ...generate(11), title: 'Canon film camera never seen before' }
    const lookUps = () => urls.filter((url) => url.includes('get_category_suggestions')).length
    const before = lookUps()
    const [unread] = (await port.choices(access.flat_fay!, item, { mayLookUp: () => false })).filter(
      ({ option }) => option === 'category_id',
    )
    expect(unread).toMatchObject({ values: [], unread: true })
    expect(lookUps()).toBe(before)
    await port.choices(access.flat_fay!, item)
    expect(lookUps()).toBe(before + 1)
    // The category is cached now, so it needs no call.
    const choices = await port.choices(access.flat_fay!, item, { mayLookUp: () => false })
    expect(choices.find(({ option }) => option === 'category_id')?.values).not.toEqual([])
    expect(lookUps()).toBe(before + 1)
  })

  it('reports changes by eBay without blocking', async () => {
    const item = {
      ...generate(11),
      title: `Canon film camera ${'x'.repeat(90)}`,
      images: Array.from({ length: 30 }, (_, n) => `https://pictures.example.com/${n}.jpg`),
      attributes: { brand: 'Canon', isbn: 'unknown' },
    }
    const { findings } = await answerFindings(port, access.flat_fay!, item, dice)
    expect(isReady(findings)).toBe(true)
    expect(findings.map(({ field, code }) => `${field} ${code}`)).toEqual(
      expect.arrayContaining(['title shortened', 'images pictures_left_out', 'attributes.isbn ignored']),
    )
  })
})
