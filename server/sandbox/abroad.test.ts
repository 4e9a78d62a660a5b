import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { type Service, startService } from '#e2e/service.ts'
import { connectSandboxShop } from '#server/integrations/connections/testing/connect.ts'
import { createHapax } from '#shared/client/client.ts'
import type { Hapax, HapaxAnswer } from '#shared/client/types.ts'

/**
 * Sellers of three countries on the whole service: each connects both sandboxes, imports, lists, reprices, sells and
 * ends, by the API and the stand-ins' own pages.
 */
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

interface Country {
  ebay: string
  etsy: string
  currency: string
  site: string
  address: { city: string; postal_code: string; region?: string; country: string }
  /** An item to list, with the words that eBay's site must get for it. */
  item: { title: string; condition: string; attributes: Record<string, unknown>; specifics: Record<string, string> }
  policies: string[]
  /** An imported listing, as the item must hold it. */
  imported: { title: string; attributes: Record<string, unknown>; condition: string; price_minor: number }
  /** Whether the fee of a sale is known. */
  hasFees: boolean
}

const countries: Record<string, Country> = {
  'an American': {
    ...{ ebay: 'vintage_vera', etsy: 'VintageVeraShop', currency: 'USD', site: 'eBay US' },
    address: { city: 'Portland', postal_code: '04101', region: 'ME', country: 'US' },
    item: {
      title: 'Vintage Wool Overcoat Navy Size M',
      condition: 'Pre-owned - Good',
      attributes: { brand: 'Pendleton', size: 'M', colors: ['Navy'], material: 'Wool' },
      specifics: { Brand: 'Pendleton', Size: 'M', Color: 'Navy' },
    },
    policies: ['Paid at once', 'USPS Ground', '30 days'],
    imported: {
      title: '1970s Schott Perfecto Leather Jacket Size 40',
      ...{ attributes: { brand: 'Schott' }, condition: 'Used', price_minor: 21_950 },
    },
    hasFees: true,
  },
  'a German': {
    ...{ ebay: 'antik_anja', etsy: 'AntikAnjaShop', currency: 'EUR', site: 'eBay Germany' },
    address: { city: 'Berlin', postal_code: '10115', country: 'DE' },
    item: {
      title: 'Wollmantel marineblau Größe 40, 1980er',
      condition: 'Gebraucht - Gut',
      attributes: { brand: 'Jil Sander', size: '40', colors: ['Marineblau'], material: 'Wolle' },
      specifics: { Marke: 'Jil Sander', Größe: '40', Farbe: 'Marineblau' },
    },
    policies: ['Sofortzahlung', 'DHL Paket', '30 Tage'],
    imported: {
      title: 'Stiefeletten Gabor schwarz EU 38, ungetragen',
      attributes: { brand: 'Gabor', size: '38', colors: ['Schwarz'], material: 'Leder' },
      ...{ condition: 'Neu ohne Etikett', price_minor: 5_450 },
    },
    hasFees: false,
  },
  'a British': {
    ...{ ebay: 'british_bea', etsy: 'BritishBeaShop', currency: 'GBP', site: 'eBay UK' },
    address: { city: 'Bath', postal_code: 'BA1 1LZ', country: 'GB' },
    item: {
      title: 'Wool Overcoat Navy Size M',
      condition: 'Pre-owned - Good',
      attributes: { brand: 'Jaeger', size: 'M', colors: ['Navy'], material: 'Wool' },
      specifics: { Brand: 'Jaeger', Size: 'M', Colour: 'Navy' },
    },
    policies: ['Paid at once', 'Royal Mail Tracked 48', '30 days'],
    imported: {
      title: 'Church’s Leather Boots UK 5 Brown',
      attributes: { brand: 'Church’s', size: '5', colors: ['Brown'], material: 'Leather' },
      ...{ condition: 'Pre-owned - Fair', price_minor: 9_750 },
    },
    hasFees: false,
  },
}

type Item = HapaxAnswer<'getInventoryItem'>

describe.each(Object.entries(countries))('%s seller', (_name, country) => {
  let hapax: Hapax
  let listed: Item
  let imported: Item
  const slugs = ['ebay', 'etsy'] as const
  const ebayPage = (listingId: string) => fetchText(`${service.config.EBAY_API_URL}/itm/${listingId}`)
  const etsyPage = (listingId: string) => fetchText(`${service.config.ETSY_API_URL}/listing/${listingId}`)
  const read = (uid: string) => hapax.call('getInventoryItem', { params: { uid } })
  const listingOn = ({ listings = [] }: Item, slug: string) => listings.find(({ platform }) => platform === slug)
  const itemTitled = async (title: string) => {
    const { results } = await hapax.call('listInventory', { query: { q: title, page_size: '100' } })
    return results.find(({ record }) => record.title === title)!
  }

  it('connects both shops, whose currency is the account’s', async () => {
    hapax = createHapax({ baseUrl: service.url })
    const email = `${country.ebay}@example.com`
    const password = 'a fine green coat 7'
    const { token } = await hapax.call('registerByEmail', { body: { email, password, password_confirm: password } })
    hapax = createHapax({ baseUrl: service.url, token })
    const account = { bearer: { authorization: `Bearer ${token}` } }
    for (const [slug, seller] of [
      ['ebay', country.ebay],
      ['etsy', country.etsy],
    ] as const) {
      expect((await connectSandboxShop(service.url, account, { slug, seller })).text).toContain(seller)
      expect(await hapax.call('getAccountCurrency', {})).toEqual({ currency: country.currency, source: 'shop' })
    }
    await hapax.call('putAddress', { body: { full_name: 'S. Eller', line1: '1 Market Street', ...country.address } })
  })

  it('imports the words and the currency of the site', async () => {
    for (const slug of slugs) {
      const { id } = await hapax.call('importPlatform', { params: { platform: slug } })
      const job = await until(
        () => hapax.call('getImportJob', { params: { uid: id } }),
        ({ status }) => ['completed', 'failed'].includes(status),
      )
      expect(job.status).toBe('completed')
    }
    imported = await itemTitled(country.imported.title)
    expect(imported).toMatchObject({
      attributes: country.imported.attributes,
      record: {
        condition: { label: country.imported.condition },
        offer: { price_minor: country.imported.price_minor, currency: country.currency },
      },
    })
    const { results } = await hapax.call('listInventory', { query: { page_size: '100' } })
    expect(new Set(results.map(({ record }) => record.offer.currency))).toEqual(new Set([country.currency]))
  })

  it('lists an item with the site’s policies, names and currency', async () => {
    const { item } = country
    const photo = `${service.config.EBAY_API_URL}/images/276500000101/1.png`
    listed = await hapax.call('createInventoryItem', {
      body: {
        title: item.title,
        images: [photo],
        condition: { label: item.condition, notes: '' },
        offer: { price_minor: 123_450, currency: country.currency },
        attributes: item.attributes,
      },
    })
    for (const slug of slugs) {
      const params = { uid: listed.uid, slug }
      const { choices } = await hapax.call('listingChoices', { params })
      const policies = choices.filter(({ option }) => option.endsWith('_policy_id'))
      if (slug === 'ebay') {
        expect(policies.map(({ values }) => values[0]?.name)).toEqual(country.policies)
      }
      const missing = choices.filter(({ required, default_id }) => required && default_id === null)
      const options = Object.fromEntries(missing.map(({ option, values }) => [option, choiceOf(option, values)]))
      const preflight = await hapax.call('preflightRequest', { params, body: { options: nested(options) } })
      expect(preflight.findings.filter(({ blocking }) => blocking)).toEqual([])
      expect(preflight).toMatchObject({ ready: true, currency: country.currency, price_minor: 123_450 })
      if (slug === 'ebay') {
        expect(preflight.marketplace).toBe(country.site)
        const [listing, sale] = preflight.fees
        expect([listing?.currency, listing?.amount_minor, sale?.certain]).toEqual([
          country.currency,
          0,
          country.hasFees,
        ])
      }
      expect(await hapax.call('listItem', { params, body: { options: nested(options) } })).toMatchObject({
        status: 'listed',
      })
    }
    listed = await read(listed.uid)
    const listing = listingOn(listed, 'ebay')
    expect(listing).toMatchObject({ state: 'available', price_minor: 123_450, currency: country.currency })
    const page = await ebayPage(listing!.listing_id)
    expect(page).toContain(`1234.50 ${country.currency}, Active`)
    for (const [name, value] of Object.entries(item.specifics)) expect(page).toContain(`<li>${name}: ${value}</li>`)
    const { record } = listed
    expect(record.offer).toMatchObject({ price_minor: 123_450, currency: country.currency })
    expect(await etsyPage(listingOn(listed, 'etsy')!.listing_id)).toContain(`1234.5 ${country.currency}, active`)
  })

  it('changes the price of its own and of imported listings', async () => {
    for (const [uid, slug, price] of [
      [listed.uid, 'ebay', '1199.90'],
      [listed.uid, 'etsy', '1199.90'],
      [imported.uid, 'ebay', '47.50'],
    ] as const) {
      await hapax.call('changeListingPrice', { params: { uid, slug }, body: { price } })
    }
    expect(await ebayPage(listingOn(listed, 'ebay')!.listing_id)).toContain(`1199.90 ${country.currency}, Active`)
    expect(await etsyPage(listingOn(listed, 'etsy')!.listing_id)).toContain(`1199.9 ${country.currency}, active`)
    expect(await ebayPage(listingOn(imported, 'ebay')!.listing_id)).toContain(`47.50 ${country.currency}, Active`)
  })

  it('sells once, with estimated fees in US dollars only', async () => {
    const { listing_id } = listingOn(listed, 'ebay')!
    const answer = await fetch(`${service.config.EBAY_API_URL}/itm/${listing_id}/buy`, { method: 'POST' })
    expect(answer.status).toBe(200)
    const etsyId = listingOn(listed, 'etsy')!.listing_id
    await until(
      () => etsyPage(etsyId),
      (page) => page.includes(', inactive'),
    )
    const { results } = await hapax.call('listSales', {})
    const sale = results.find(({ inventory_item_uid }) => inventory_item_uid === listed.uid)
    expect(sale).toMatchObject({ currency: country.currency, price_minor: 119_990, platform: 'ebay' })
    expect(sale?.fee_minor === null).toBe(!country.hasFees)
  })

  it('ends an imported listing', async () => {
    const params = { uid: imported.uid, slug: 'ebay' }
    expect(await hapax.call('delistItem', { params })).toMatchObject({ status: 'delisted' })
    expect(await ebayPage(listingOn(imported, 'ebay')!.listing_id)).toContain(', Ended')
  })
})

it('offers a seller in Quebec the policies in French', async () => {
  let hapax = createHapax({ baseUrl: service.url })
  const password = 'a fine green coat 7'
  const body = { email: 'quinn@example.com', password, password_confirm: password }
  const { token } = await hapax.call('registerByEmail', { body })
  hapax = createHapax({ baseUrl: service.url, token })
  const account = { bearer: { authorization: `Bearer ${token}` } }
  await connectSandboxShop(service.url, account, { slug: 'ebay', seller: 'quebec_quinn' })
  const address = { full_name: 'Q. Quinn', line1: '1 rue Saint-Jean', city: 'Québec', region: 'QC' }
  await hapax.call('putAddress', { body: { ...address, postal_code: 'G1R 4P5', country: 'CA' } })
  const { choices } = await hapax.call('shopChoices', { params: { slug: 'ebay' } })
  const names = choices.filter(({ option }) => option.endsWith('_policy_id')).map(({ values }) => values[0]?.name)
  expect(names).toEqual(['Paiement immédiat', 'Postes Canada, colis standard', '30 jours'])
})

/** Returns the address's text. */
async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url)
  expect(answer.status, url).toBe(200)
  return answer.text()
}

/** The answers of a seller of old clothes on Etsy, which suggests none. */
const onEtsy: Record<string, string> = { taxonomy_id: '374', who_made: 'someone_else', when_made: '1980s' }

const choiceOf = (option: string, values: { id: string; suggested?: boolean }[]) =>
  onEtsy[option] ?? (values.find(({ suggested }) => suggested) ?? values[0])?.id ?? '-'

/** Moves `aspects.Brand` into `aspects`, as a list request has it. */
function nested(options: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(options)
  const aspects = entries.filter(([name]) => name.startsWith('aspects.'))
  return {
    ...Object.fromEntries(entries.filter(([name]) => !name.startsWith('aspects.'))),
    ...(aspects.length > 0
      ? { aspects: Object.fromEntries(aspects.map(([name, value]) => [name.slice('aspects.'.length), [value]])) }
      : {}),
  }
}
