import { sellersAbroad } from '../ebay/abroad.ts'
import { plainListing, plainProduct, type SandboxListing } from './listing.ts'

/** Taxonomy ids by the category on the sandbox eBay. */
const taxonomy: Record<number, number> = { 63862: 374, 57988: 429, 53557: 1429, 15230: 382, 261186: 323, 45238: 14 }

const colorNames = ['Farbe', 'Colour']
const sizeNames = ['Größe', 'EU-Schuhgröße', 'Size', 'UK Shoe Size']

/** Returns a seller's items of the sandbox eBay as the same seller lists them on Etsy, with the same pictures. */
function listingsOf(username: string, firstId: number, extra: string): SandboxListing[] {
  const items = sellersAbroad().find((seller) => seller.username === username)?.items ?? []
  return items
    .filter(({ category }) => category.id in taxonomy)
    .slice(0, 5)
    .map((item, index) => {
      const listingId = firstId + index * 29
      const of = (names: string[]) => item.specifics.find(({ name }) => names.includes(name))
      const properties = [
        ...(of(colorNames) ? [{ id: 200, name: of(colorNames)!.name, values: of(colorNames)!.values }] : []),
        ...(of(sizeNames) ? [{ id: 100, name: of(sizeNames)!.name, values: of(sizeNames)!.values }] : []),
      ]
      return plainListing({
        listingId,
        title: `${item.title}, ${extra}`,
        description: `${item.title}.`,
        currency: item.currency,
        products: [plainProduct({ sku: '', amount: Math.round(Number(item.price) * 100), properties })],
        pictures: item.pictures,
        pictured: { id: item.itemId, title: item.title },
        taxonomyId: taxonomy[item.category.id] ?? 66,
        materials: item.specifics.find(({ name }) => name.endsWith('aterial'))?.values ?? [],
        tags: ['vintage'],
        originalCreated: Math.floor(Date.parse(item.startTime) / 1000) + 86_400,
      })
    })
}

/** Returns the shops of sellers in other countries: their currency, language and words. */
export const shopsAbroad = () => [
  {
    shopName: 'AntikAnjaShop',
    currency: 'EUR',
    country: 'DE',
    language: 'de',
    about: 'Germany: five things of antik_anja, priced in euros.',
    listings: listingsOf('antik_anja', 1_640_000_000, 'Einzelstück'),
  },
  {
    shopName: 'BritishBeaShop',
    currency: 'GBP',
    country: 'GB',
    language: 'en-GB',
    about: 'Britain: five things of british_bea, priced in pounds.',
    listings: listingsOf('british_bea', 1_650_100_000, 'one of a kind'),
  },
]

const europeanUnion = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

/** Whether shops of a country must name a return policy. The law of the European Union has one for all of its shops. */
export const needsReturnPolicy = (country: string): boolean => !europeanUnion.includes(country)
