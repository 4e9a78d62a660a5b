import { plainListing, plainProduct, type SandboxListing } from './listing.ts'

/** Unusual listings of VintageVeraShop, by their edge case. */
export const edgeCases = {
  /** Every character that Etsy escapes, and text that looks escaped already. */
  entities: 1_650_000_010,
  emoji: 1_650_000_011,
  soldOut: [1_650_000_020, 1_650_000_021, 1_650_000_022],
  drafts: [1_650_000_030, 1_650_000_031],
  inactive: [1_650_000_040, 1_650_000_041, 1_650_000_042],
  expired: [1_650_000_050, 1_650_000_051],
  /** Three units, so it is not one of a kind. */
  quantityThree: 1_650_000_060,
  noPicture: 1_650_000_070,
  /** 48 dollars, divisor 1; and 18.50 with divisor 1000. */
  divisorOne: 1_650_000_080,
  divisorThousand: 1_650_000_081,
  /** 12.345 dollars, which is not a valid amount. */
  oddAmount: 1_650_000_082,
  missingSku: [1_650_000_090, 1_650_000_091],
  /** Two sizes, one unit of each. */
  twoProducts: 1_650_000_100,
  /** Two sizes, of which one is left. */
  oneOfTwoProductsLeft: 1_650_000_101,
  /** One color is disabled. */
  disabledProduct: 1_650_000_102,
  /** Two listings under one SKU. */
  duplicateSku: { sku: 'VERA-DUP', first: 1_650_000_110, second: 1_650_000_111 },
  longDescription: 1_650_000_120,
  /** Handmade, of this decade. */
  handmade: 1_650_000_130,
  twentyPictures: 1_650_000_140,
} as const

const day = (number: number) => Date.UTC(2025, 3, 1, 12) / 1000 + number * 86_400

/** Returns the listings. Their days are spread so that they appear on different pages. */
export function edgeCaseListings(): SandboxListing[] {
  const listing = (
    listingId: number,
    place: number,
    title: string,
    amount: number,
    rest: Partial<SandboxListing> & { sku?: string; quantity?: number } = {},
  ): SandboxListing => {
    const { sku = `VERA-${listingId % 100_000}`, quantity = 1, ...others } = rest
    return plainListing({
      listingId,
      title,
      originalCreated: day(place),
      products: [plainProduct({ sku, amount, quantity })],
      pictures: 3,
      ...others,
    })
  }
  const size = (value: string) => [{ id: 100, name: 'Size', values: [value] }]
  const color = (value: string) => [{ id: 200, name: 'Primary color', values: [value] }]
  return [
    listing(edgeCases.entities, 8, `Dad's "Best & Oldest" Pipe Rack, 5 > 4 pipes`, 3_400, {
      description: `Granddad's <b>own</b> rack & stand.\n\nTyped as seen: &amp; stays &amp;, &lt;br&gt; stays.\nHeight 11", "walnut".`,
      tags: ["father's day", 'pipe & tobacco'],
    }),
    listing(edgeCases.emoji, 15, '🌸 Rosenthal Tea Set, 1950s, “Porcelain”', 12_840, { whenMade: '1950s' }),
    ...edgeCases.soldOut.map((id, index) =>
      listing(
        id,
        20 + index * 40,
        ['Shell Cameo Brooch', 'Bar Brooch, seed pearls', 'Micromosaic Brooch, Florence'][index]!,
        2_900 + index * 100,
        {
          state: 'sold_out',
          quantity: 0,
        },
      ),
    ),
    listing(edgeCases.drafts[0], 30, 'Banker’s Lamp, green glass shade', 8_000, { state: 'draft' }),
    listing(edgeCases.drafts[1], 31, 'Amber Glass Ashtray', 1_500, { state: 'draft', pictures: 0 }),
    ...edgeCases.inactive.map((id, index) =>
      listing(
        id,
        50 + index,
        ['Blue Willow Teacup', 'Lusterware Teacup', 'Bone China Teacup, violets'][index]!,
        1_200,
        { state: 'inactive' },
      ),
    ),
    ...edgeCases.expired.map((id, index) =>
      listing(id, 60 + index, ['Bud Vase, cobalt glass', 'Studio Pottery Vase, drip glaze'][index]!, 4_400, {
        state: 'expired',
      }),
    ),
    listing(edgeCases.quantityThree, 75, 'Deadstock Enamel Pins, three available', 999, { quantity: 3 }),
    listing(edgeCases.noPicture, 90, 'Mystery box of buttons', 1_500, { pictures: 0 }),
    listing(edgeCases.divisorOne, 100, 'Brass Dinner Bell', 48, { divisor: 1 }),
    listing(edgeCases.divisorThousand, 101, 'Brass Coat Hook, Art Nouveau', 18_500, { divisor: 1_000 }),
    listing(edgeCases.oddAmount, 102, 'Brass Letter Opener, engraved', 12_345, { divisor: 1_000 }),
    ...edgeCases.missingSku.map((id, index) =>
      listing(id, 120 + index * 9, ['Hand-thrown Jug, signed', 'Hand-thrown Jug, ash glaze'][index]!, 4_800, {
        sku: '',
      }),
    ),
    listing(edgeCases.twoProducts, 140, 'Deadstock Work Shirt, two sizes', 5_500, {
      products: [
        plainProduct({ sku: 'VERA-SHIRT-S', amount: 5_500, properties: size('S') }),
        plainProduct({ sku: 'VERA-SHIRT-L', amount: 5_800, properties: size('L') }),
      ],
    }),
    listing(edgeCases.oneOfTwoProductsLeft, 141, 'Deadstock Sailor Trousers, last pair', 6_100, {
      products: [
        plainProduct({ sku: 'VERA-SAIL-30', amount: 6_100, quantity: 0, properties: size('30') }),
        plainProduct({ sku: 'VERA-SAIL-32', amount: 6_400, properties: size('32') }),
      ],
    }),
    listing(edgeCases.disabledProduct, 142, 'Silk Ribbon by the yard', 900, {
      products: [
        plainProduct({ sku: 'VERA-RIB-RED', amount: 900, properties: color('Red') }),
        plainProduct({
          sku: 'VERA-RIB-BLUE',
          amount: 900,
          quantity: 4,
          isEnabled: false,
          properties: color('Blue'),
        }),
      ],
    }),
    listing(edgeCases.duplicateSku.first, 160, 'Opera Glasses, mother of pearl', 6_600, {
      sku: edgeCases.duplicateSku.sku,
    }),
    listing(edgeCases.duplicateSku.second, 175, 'Opera Glasses, mother of pearl, boxed', 6_600, {
      sku: edgeCases.duplicateSku.sku,
    }),
    listing(edgeCases.longDescription, 180, 'Handwritten recipe book', 2_200, {
      description: Array.from({ length: 900 }, (_, index) => `No ${index + 1}: "flour" & butter's`).join('\n'),
    }),
    listing(edgeCases.handmade, 190, 'Hand-sewn Patchwork Pouch', 1_950, { whoMade: 'i_did', whenMade: '2020_2026' }),
    listing(edgeCases.twentyPictures, 200, 'Doll House with six furnished rooms', 24_000, { pictures: 20 }),
  ]
}
