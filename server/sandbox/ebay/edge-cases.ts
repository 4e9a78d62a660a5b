import type { SandboxItem } from './item.ts'
import { plainItem } from './shop.ts'

/**
 * Unusual listings of vintage_vera, by their edge case. In an import of her active listings each of the `duplicateSkus`
 * makes a conflict (the later of the two), and so do `quantityThree` and `multiVariation`.
 */
export const edgeCases = {
  /** Pairs of listings with one SKU: earlier and later. */
  duplicateSkus: [
    { sku: 'VV-DUP-1', first: '276500000011', second: '276500000012' },
    { sku: 'VV-DUP-2', first: '276500000021', second: '276500000022' },
    { sku: 'VV-DUP-3', first: '276500000031', second: '276500000032' },
    { sku: 'VV-DUP-4', first: '276500000041', second: '276500000042' },
    { sku: 'VV-DUP-5', first: '276500000051', second: '276500000052' },
    { sku: 'VV-DUP-6', first: '276500000061', second: '276500000062' },
  ],
  noSku: ['276500000101', '276500000102', '276500000103'],
  /** Three units, so it is not one of a kind. */
  quantityThree: '276500000110',
  /** Three units, two sold, one left. */
  oneOfThreeLeft: '276500000111',
  noPicture: '276500000120',
  auction: '276500000130',
  htmlAndEmoji: '276500000140',
  /** A description with thousands of entities. */
  longDescription: '276500000141',
  /** GetItem fails twice: an import, which tries twice, records a failure, and a retry succeeds. */
  failsTwice: '276500000150',
  failsAlways: '276500000151',
  multiVariation: '276500000160',
  /** Price "5.3". */
  oneDecimal: '276500000170',
  skuWithSpaces: '276500000180',
  /** eBay sends only the id of its condition. */
  conditionIdOnly: '276500000190',
} as const

const day = (number: number) => new Date(Date.UTC(2025, 2, 1, 12) + number * 86_400_000).toISOString()

const twins: [title: string, brand: string, category: SandboxItem['category'], price: string][] = [
  [
    'Vintage Hermès Silk Scarf Brides de Gala 90cm',
    'Hermès',
    { id: 45238, name: "Women's Accessories:Scarves & Wraps" },
    '285.0',
  ],
  [
    'Leica M3 Double Stroke Rangefinder Body 1955',
    'Leica',
    { id: 15230, name: 'Cameras & Photo:Film Photography:Film Cameras' },
    '1249.99',
  ],
  [
    '1970s Schott Perfecto Leather Jacket Size 40',
    'Schott',
    { id: 57988, name: "Men's Clothing:Coats, Jackets & Vests" },
    '219.5',
  ],
  [
    'The Hobbit J.R.R. Tolkien 1966 Hardcover with Jacket',
    'Unbranded',
    { id: 261186, name: 'Books & Magazines:Books' },
    '94.0',
  ],
  [
    'Hasselblad 500C/M with Planar 80mm f/2.8',
    'Hasselblad',
    { id: 15230, name: 'Cameras & Photo:Film Photography:Film Cameras' },
    '1480.0',
  ],
  ['1960s Pucci Print Maxi Dress Size 10', 'Emilio Pucci', { id: 63861, name: "Women's Clothing:Dresses" }, '340.25'],
]

const hoursAfter = (now: Date, hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

/** Returns auctions with bids, one of which eBay lets nobody end any more, and a listing at a fixed price. */
export function auctionItems(now: Date): SandboxItem[] {
  const auction = { listingType: 'Chinese', pictures: 2, startTime: hoursAfter(now, -96) } as const
  return [
    plainItem({
      ...auction,
      itemId: '278100000001',
      title: 'Auction: 1930s Bakelite Radio, Three Bids, Last Hours',
      sku: 'BB-RADIO',
      price: '86.0',
      bids: 3,
      endsAt: hoursAfter(now, 6),
    }),
    plainItem({
      ...auction,
      itemId: '278100000002',
      title: 'Auction: Enamel Street Sign, Two Bids',
      sku: 'BB-SIGN',
      price: '41.5',
      bids: 2,
      endsAt: hoursAfter(now, 60),
    }),
    plainItem({
      itemId: '278100000003',
      title: 'Brass Desk Lamp, Green Shade',
      sku: 'BB-LAMP',
      price: '120.0',
      pictures: 2,
      startTime: hoursAfter(now, -48),
    }),
  ]
}

/** Returns the listings. Their start days are spread so that they appear on different pages. */
export function edgeCaseItems(now: Date): SandboxItem[] {
  const pairs = edgeCases.duplicateSkus.flatMap(({ sku, first, second }, index) => {
    const [title, brand, category, price] = twins[index]!
    const common = { sku, category, specifics: [{ name: 'Brand', values: [brand] }], pictures: 3 }
    // Half of the pairs are one item listed twice; the others are two items with a reused SKU.
    const again = index % 2 === 0 ? title : `${title.slice(0, 60)} #2`
    return [
      plainItem({ ...common, itemId: first, title, price, startTime: day(10 + index * 23) }),
      plainItem({ ...common, itemId: second, title: again, price, startTime: day(150 + index * 23) }),
    ]
  })
  const noSku = edgeCases.noSku.map((itemId, index) =>
    plainItem({
      itemId,
      title: ['Hand-thrown Stoneware Jug, Signed', 'Brass Nautical Sextant, c. 1920', 'Box of Glass Negatives'][index],
      price: ['48.0', '310.99', '75.5'][index],
      pictures: 2,
      startTime: day(40 + index * 60),
    }),
  )
  return [
    ...pairs,
    ...noSku,
    plainItem({
      itemId: edgeCases.quantityThree,
      title: 'Deadstock 1980s Enamel Pin, Three Available',
      sku: 'VV-THREE',
      price: '9.99',
      quantity: 3,
      pictures: 2,
      startTime: day(70),
    }),
    plainItem({
      itemId: edgeCases.oneOfThreeLeft,
      title: 'Deadstock 1970s Sunglasses, Last Pair',
      sku: 'VV-LAST',
      price: '34.5',
      quantity: 3,
      quantitySold: 2,
      startTime: day(75),
    }),
    plainItem({
      itemId: edgeCases.noPicture,
      title: 'Mystery Box of Vintage Buttons',
      sku: 'VV-NOPIC',
      price: '15.0',
      pictures: 0,
      startTime: day(90),
    }),
    plainItem({
      itemId: edgeCases.auction,
      title: 'Auction: Art Deco Mantel Clock, No Reserve',
      sku: 'VV-AUCTION',
      price: '41.0',
      listingType: 'Chinese',
      bids: 7,
      endsAt: hoursAfter(now, 72),
      pictures: 4,
      startTime: day(298),
    }),
    plainItem({
      itemId: edgeCases.htmlAndEmoji,
      title: '🌸 1950s “Rosenthal” Tea Set — 6 Cups & Saucers <3',
      description:
        '<div style="font-family:Georgia"><h1>Tea for six 🫖</h1><p>Porcelain &amp; gold rim &mdash; <b>no chips</b>.</p><script>alert("not here")</script><p>5 &lt; 6 cups, “quoted” &#39;twice&#39;</p></div>',
      sku: 'VV-🌸-1',
      price: '128.4',
      pictures: 5,
      specifics: [{ name: 'Brand', values: ['Rosenthal & Co.'] }],
      startTime: day(110),
    }),
    plainItem({
      itemId: edgeCases.longDescription,
      title: 'Handwritten Recipe Book, Transcribed in Full',
      description: `<h1>All recipes</h1>${Array.from({ length: 900 }, (_, index) => `<p>No ${index + 1}: flour &amp; butter</p>`).join('')}`,
      sku: 'VV-LONG',
      price: '22.0',
      startTime: day(125),
    }),
    plainItem({
      itemId: edgeCases.failsTwice,
      title: 'Opera Glasses with Mother of Pearl',
      sku: 'VV-FLAKY',
      price: '66.0',
      failures: 2,
      startTime: day(140),
    }),
    plainItem({
      itemId: edgeCases.failsAlways,
      title: 'Cast Iron Doorstop, Terrier',
      sku: 'VV-BROKEN',
      price: '52.75',
      failures: 'always',
      startTime: day(145),
    }),
    plainItem({
      itemId: edgeCases.multiVariation,
      title: 'Hand-dyed Cotton Bandana, Choose a Color',
      sku: 'VV-MULTI',
      price: '12.5',
      quantity: 5,
      quantitySold: 1,
      pictures: 3,
      variations: [
        {
          sku: 'VV-MULTI-RED',
          price: '12.5',
          quantity: 2,
          quantitySold: 1,
          specifics: [{ name: 'Color', values: ['Red'] }],
        },
        {
          sku: 'VV-MULTI-BLUE',
          price: '13.0',
          quantity: 3,
          quantitySold: 0,
          specifics: [{ name: 'Color', values: ['Blue'] }],
        },
      ],
      startTime: day(160),
    }),
    plainItem({
      itemId: edgeCases.oneDecimal,
      title: 'Postcard: Coney Island 1911',
      sku: 'VV-53',
      price: '5.3',
      startTime: day(180),
    }),
    plainItem({
      itemId: edgeCases.skuWithSpaces,
      title: 'Herbarium Sheet, Fern, 1896',
      sku: 'Specimen 1432',
      price: '39.0',
      startTime: day(200),
    }),
    plainItem({
      itemId: edgeCases.conditionIdOnly,
      title: 'Portable Typewriter Olivetti Lettera 22',
      sku: 'VV-LETTERA',
      price: '180.0',
      conditionId: 7000,
      conditionName: null,
      startTime: day(220),
    }),
  ]
}
