import { detailOf } from './details.ts'

/** A seller as the site names them. */
export interface Seller {
  id: number
  name: string
  username: string
}

/** An item in plain words; the site's responses are made from it. */
export interface Item {
  id: string
  seller: Seller
  status: 'on_sale' | 'trading' | 'sold_out'
  name: string
  description: string
  /** US cents, and the price before a reduction. */
  price: number
  originalPrice: number
  brand: { id: number; name: string } | null
  size: { id: number; name: string } | null
  condition: number
  photos: number
  /** Unix seconds. */
  created: number
}

const conditions = ['', 'New', 'Like new', 'Good', 'Fair', 'Poor']
const categories = [
  { id: 2, level: 0, name: 'Men', title: 'Fashion for Men' },
  { id: 39, level: 1, name: 'Shoes', title: 'Shoes for Men' },
  { id: 397, level: 2, name: 'Athletic', title: 'Athletic Shoes for Men' },
]
const brands = [{ id: 501, name: 'Hollow & Reed' }, { id: 502, name: 'Marlowe' }, null, { id: 503, name: 'Fennick' }]
const sizes = [{ id: 147, name: '6 (39)' }, null, { id: 11, name: 'M (8-10)' }]
const nouns = ['Trail runners', 'Handheld console', 'Enamel kettle', 'Wool blanket', 'Brass lamp']

/** Host of Mercari's pictures, which the site answers for, too. */
export const pictureHost = 'u-mercari-images.mercdn.net'

export function buildSeller(id: number): Seller {
  return { id, name: `Sample${id % 100}`, username: `sample_${id % 100}` }
}

/** Returns the n-th item of a seller (n from 0), always the same. */
export function buildItem(seller: Seller, n: number, changes: Partial<Item> = {}): Item {
  const noun = nouns[n % nouns.length]!
  const price = 1_299 + ((n * 733) % 9_000)
  return {
    id: `m${String(seller.id).slice(-4)}${String(1_000_000 + n * 37)}`,
    seller,
    status: 'on_sale',
    name: `${noun}, ${detailOf(n, nouns.length)}`,
    description: `${noun} from a smoke-free home.\n\n"Barely used" & <clean>.`,
    price,
    originalPrice: n % 4 === 0 ? price + 500 : price,
    brand: brands[n % brands.length]!,
    size: sizes[n % sizes.length]!,
    condition: 1 + (n % 5),
    photos: 1 + (n % 4),
    created: 1_780_000_000 + n * 3_600,
    ...changes,
  }
}

/** Returns the URLs of an item's pictures in the site's form. */
export function photosOf(item: Item): string[] {
  return Array.from(
    { length: item.photos },
    (_, index) => `https://${pictureHost}/photos/${item.id}_${index + 1}.jpg?${item.created}`,
  )
}

/**
 * Returns an item as the site's lists contain it (search responses of 2026-09). `summary`: without description, and
 * with the first picture only.
 */
export function listEntry(item: Item, summary: boolean): Record<string, unknown> {
  return {
    __typename: 'Item',
    id: item.id,
    name: item.name,
    status: item.status,
    price: item.price,
    originalPrice: item.originalPrice,
    description: summary ? '' : item.description,
    photos: photos(item, 'Photo').slice(0, summary ? 1 : undefined),
    seller: { __typename: 'PublicUser', id: item.seller.id, sellerId: item.seller.id },
    brand: { __typename: 'ItemBrand', ...(item.brand ?? { id: 0, name: null }) },
    itemSize: item.size && { __typename: 'ItemSize', ...item.size },
    itemCondition: { __typename: 'ItemCondition', id: item.condition, name: conditions[item.condition] },
    itemCategory: { __typename: 'ItemCategory', id: 397, name: 'Athletic' },
    itemCategoryHierarchy: categories.map(({ id, level, name }) => ({ __typename: 'ItemCategory', id, level, name })),
    categoryTitle: 'Athletic Shoes for Men',
    color: null,
    customFacetsList: [],
    shippingClass: null,
    created: item.created,
    updated: item.created + 60,
    favorites: 2,
    itemPv: 31,
  }
}

/** Returns the state of an item's page (captures of 2026-09): an Apollo cache with references. */
export function itemState(item: Item): Record<string, unknown> {
  const ref = (type: string, id: number) => ({ __ref: `${type}:${id}` })
  const { seller, brand, size } = item
  const cache: Record<string, unknown> = {
    [`PublicUser:${seller.id}`]: { __typename: 'PublicUser', ...seller, numSellItems: 12, introduction: null },
    [`ItemDetailItemCondition:${item.condition}`]: {
      __typename: 'ItemDetailItemCondition',
      id: item.condition,
      name: conditions[item.condition],
    },
    ...Object.fromEntries(
      categories.map((one) => [`MasterItemCategory:${one.id}`, { __typename: 'MasterItemCategory', ...one }]),
    ),
    ...(brand ? { [`ItemDetailItemBrand:${brand.id}`]: { __typename: 'ItemDetailItemBrand', ...brand } } : {}),
    ...(size ? { [`ItemDetailItemSize:${size.id}`]: { __typename: 'ItemDetailItemSize', ...size } } : {}),
    [`ItemDetail:${item.id}`]: {
      __typename: 'ItemDetail',
      id: item.id,
      itemType: 'physical',
      seller: ref('PublicUser', seller.id),
      buyer: null,
      status: item.status,
      isWebVisible: true,
      name: item.name,
      price: item.price,
      lastSoldAt: item.status === 'on_sale' ? null : item.created + 90_000,
      description: item.description,
      itemCondition: ref('ItemDetailItemCondition', item.condition),
      itemSize: size && ref('ItemDetailItemSize', size.id),
      itemCategory: ref('MasterItemCategory', 397),
      itemCategoryHierarchy: categories.map(({ id }) => ref('MasterItemCategory', id)),
      brand: brand ? ref('ItemDetailItemBrand', brand.id) : { id: 0, name: null },
      updated: item.created + 60,
      created: item.created,
      categoryTitle: 'Athletic Shoes for Men',
      photos: photos(item, 'ItemDetailPhoto'),
      originalPrice: item.originalPrice,
      priceSummary: { __typename: 'ItemDetailPriceSummary', components: [], totalPrice: item.price + 933 },
      externalItemId: null,
      additionalAttributes: [],
    },
    ROOT_QUERY: { [`item({"id":"${item.id}"})`]: { __ref: `ItemDetail:${item.id}` } },
  }
  return {
    props: {
      pageProps: {
        query: { id: item.id },
        canonicalURL: `https://www.mercari.com/us/item/${item.id}/`,
        statusCode: 200,
        gqlErrorCode: null,
        serverState: cache,
      },
      __N_SSP: true,
    },
    page: '/us/item/[id]',
    query: { id: item.id },
    buildId: 'sample',
  }
}

/** Returns the elements of an item's page as visitors see them. */
export function itemElements(item: Item, own: boolean): string {
  const brand = item.brand
    ? `<span data-testid="ItemDetailsBrand" class="x cwHOmm"><a href="/us/brand/${item.brand.id}/"><p>${escapeHtml(item.brand.name)}</p></a></span>`
    : ''
  const sold = item.status === 'on_sale' ? '' : '<div data-testid="SoldListing" class="x kLm"><p>Item sold</p></div>'
  const edit = own ? `<a data-testid="EditListing" href="/sell/edit/${item.id}/">Edit</a>` : ''
  const pictures = photosOf(item)
    .map((src) => `<div data-testid="ProductSquareImage"><img alt="" src="${src}"></div>`)
    .join('')
  return `<main>${pictures}
<h1 color="gray-dark" data-testid="ItemName" class="H0 dEpmKc">${escapeHtml(item.name)}</h1>
<p data-testid="ItemPrice" class="x dmgoQE">$${(item.price / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/, ',')}</p>${sold}${edit}
<span data-testid="ItemDetailsCondition" class="x cwHOmm"><p data-testid="ItemDetailsCondition" class="x">${conditions[item.condition]}</p></span>${brand}
<p data-testid="ItemDetailsSellerName" class="x">${escapeHtml(item.seller.name)}</p>
<p data-testid="ItemDetailsDescription" class="x eZMWxO">${escapeHtml(item.description)}</p>
<section><a href="/us/item/m9/"><p data-testid="ItemName">Something else</p></a></section></main>`
}

/** Returns a page with its state, as the site's server renders it. */
export function pageWithState(title: string, state: unknown, body: string): string {
  const json = JSON.stringify(state).replace(/</g, '\\u003c')
  return `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${escapeHtml(title)} | Mercari</title>
<script id="__NEXT_DATA__" type="application/json" crossorigin="anonymous">${json}</script>
</head><body>${body}</body></html>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

function photos(item: Item, type: string) {
  return photosOf(item).map((imageUrl) => ({
    __typename: type,
    imageUrl,
    thumbnail: `${imageUrl}&width=200&height=200`,
  }))
}
