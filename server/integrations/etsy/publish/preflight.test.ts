import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { answerFindings, examine, isReady, listGenerated } from '#server/integrations/testing/seller-answers.ts'
import { createDice } from '#server/sandbox/ebay/shop.ts'
import { taxonomyIds } from '#server/sandbox/etsy/taxonomy.ts'
import { drawPicture } from '#server/sandbox/kit/picture.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '../testing/etsy-sandbox.ts'

const shops = ['ThingTheoShop', 'CalculatedCatShop']
let running: RunningEtsySandbox
let port: ListingPort
const access: Record<string, ShopAccess> = {}
/** Etsy's eras of later years are not published. */
const clock = () => new Date(Date.UTC(2026, 5))
beforeAll(async () => {
  const bytes = await drawPicture('one', 1, 'one')
  running = await startEtsySandbox(
    { usual: false, clock, limits: null, shops: shops.map((shopName) => ({ shopName, listings: [] })) },
    { clock, fetchPicture: async () => ({ bytes, type: 'image/png' }) },
  )
  port = running.adapter.listings!
  for (const shop of shops) access[shop] = running.accessOf(shop)
})
afterAll(() => running?.sandbox.close())

const dice = createDice(20261124)
const { pick, between, chance: maybe } = dice
const categoryIds = [...taxonomyIds].map(String)

function generate(index: number): PublishRequest {
  const titles = [
    '1970s Tea Dress',
    'Brass Lamp 50% & more & more',
    'Teapot №5 ★ + saucer + lid',
    'Quilt: star: blue',
    '🌸 Brooch 🌸',
  ]
  return {
    externalKey: `PRE-${index}-abcdefghijklm`,
    made: null,
    repeated: false,
    sku: null,
    title: `${pick(titles)} ${maybe(0.2) ? 'long '.repeat(40) : index}`.trim(),
    description: maybe(0.2) ? '' : '<p>Cotton &amp; lace.</p>',
    price_minor: between(20, 50_000),
    currency: 'USD',
    images: Array.from(
      { length: 1 + (maybe(0.1) ? 22 : 0) },
      (_, n) => `https://pictures.example.com/${index}/${n}.png`,
    ),
    condition: { label: pick(['Used', 'New']), notes: maybe(0.3) ? 'A small mend.' : '' },
    attributes: {
      ...(maybe(0.5) ? { category: pick(['Dresses', 'Cameras', 'Nothing of the kind']) } : {}),
      ...(maybe(0.3) ? { material: 'cotton/lace & 100% wool' } : {}),
      ...(maybe(0.4) ? { decade: pick(['1970s', '2015', '1890s']) } : {}),
      ...(maybe(0.5) ? { weight_grams: 300, parcel: { length_mm: 300, width_mm: 200, height_mm: 100 } } : {}),
    },
    address: { full_name: 'Theo', line1: '1 Quay', city: 'Portland', postal_code: '04101', country: 'US' },
    options: { taxonomy_id: categoryIds[index % categoryIds.length]! },
  }
}

describe('preflight of Etsy listings', () => {
  it('finds everything that Etsy refuses, in all categories', async () => {
    const accessOf = (index: number) => access[shops[index % 2]!]!
    const { listed, refused, lackedAtFirst } = await listGenerated(port, { count: 300, generate, accessOf }, dice)
    expect(refused).toEqual([])
    expect(new Set(listed.map(({ taxonomy_id }) => taxonomy_id)).size).toBeGreaterThanOrEqual(30)
    // Most items must lack something at first, or the preflight would not be tested.
    expect(lackedAtFirst).toBeGreaterThan(100)
  })

  const faults: [string, Partial<PublishRequest>, string][] = [
    ['no photo', { images: [] }, 'images picture_required'],
    ['a title without an accepted character', { title: '🌸🌸' }, 'title not_allowed'],
    ['a price below the minimum', { price_minor: 19 }, 'price price_too_low'],
    ["a currency that is not the shop's", { currency: 'EUR' }, 'currency currency'],
    ['an unknown category', { options: { taxonomy_id: '999999' } }, 'options.taxonomy_id not_allowed'],
    [
      'an unknown shipping profile',
      { options: { shipping_profile_id: '1' } },
      'options.shipping_profile_id not_allowed',
    ],
    ['a price above the maximum', { price_minor: 5_000_001 }, 'price invalid_price'],
    [
      "someone else's modern item",
      { options: { who_made: 'someone_else', when_made: '2010_2019' } },
      'options.when_made not_allowed',
    ],
    [
      "someone else's made-to-order item",
      { options: { who_made: 'someone_else', when_made: 'made_to_order' } },
      'options.when_made not_allowed',
    ],
  ]
  it.each(faults)('blocks %s, which Etsy refuses', async (_name, given, expected) => {
    const item = { ...generate(0), title: 'Tea Dress', ...given }
    const { findings } = await examine(port, access.ThingTheoShop!, item)
    expect(findings.filter(({ blocking }) => blocking).map(({ field, code }) => `${field} ${code}`)).toContain(expected)
    const { item: complete } = await answerFindings(port, access.ThingTheoShop!, { ...item, options: {} }, dice)
    const sent = { ...complete, options: { ...complete.options, ...item.options } }
    await expect(port.publish(access.ThingTheoShop!, sent, async () => {})).rejects.toMatchObject({
      failure: 'refused',
    })
  })

  it('reports changes by Etsy without blocking', async () => {
    const item = {
      ...generate(0),
      title: '🌸 Tea Dress',
      images: Array.from({ length: 22 }, (_, n) => `https://p.example.com/${n}.png`),
    }
    const { findings } = await answerFindings(port, access.ThingTheoShop!, item, dice)
    expect(isReady(findings)).toBe(true)
    expect(findings.map(({ field, code }) => `${field} ${code}`)).toEqual(
      expect.arrayContaining(['title changed', 'images pictures_left_out']),
    )
  })
})
