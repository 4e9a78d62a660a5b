import { detailOf } from './details.ts'

/** A shop as the site names it. */
export interface DepopShop {
  id: number
  username: string
}

/** A product in plain words; the site's responses are made from it. */
export interface Product {
  id: number
  slug: string
  shop: DepopShop
  sold: boolean
  /** The first line stands for the title that Depop does not have. */
  description: string
  /** Decimal text, and the price before a reduction. */
  price: string
  originalPrice: string
  brand: { id: string; name: string }
  condition: string
  colours: string[]
  size: string | null
  quantity: number
  pictures: number
}

const nouns = ['corduroy jacket', 'mesh top', 'cargo trousers', 'platform boots', 'knitted vest', 'denim skirt']
const brands = [
  { id: 'hollow-reed', name: 'Hollow & Reed' },
  { id: 'unbranded', name: 'Other' },
  { id: 'marlowe', name: 'Marlowe' },
]
const conditions = ['brand_new', 'used_like_new', 'used_excellent', 'used_good', 'used_fair']
const colours = [['navy', 'black'], ['green'], [], ['cream', 'brown']]
const sizes = ['M', 'US 8', null, 'L']

/** Host of Depop's pictures, which the site answers for, too. */
export const pictureHost = 'media-photos.depop.com'

/** Returns the n-th product of a shop (n from 0), always the same. */
export function buildProduct(shop: DepopShop, n: number, changes: Partial<Product> = {}): Product {
  const noun = nouns[n % nouns.length]!
  const price = 8 + ((n * 7) % 60)
  const words = `${noun.replaceAll(' ', '-')}-${n + 1}`
  return {
    id: shop.id * 1_000 + n,
    slug: `${shop.username}-${words}-${(0xa000 + n).toString(16)}`,
    shop,
    sold: false,
    description: `Vintage ${noun}, ${detailOf(n, nouns.length)}\n\nWorn twice, "like new" & <clean>.\n#vintage #${noun.split(' ').at(-1)}`,
    price: `${price}.${n % 2 === 0 ? '00' : '50'}`,
    originalPrice: n % 3 === 0 ? `${price + 5}.00` : `${price}.${n % 2 === 0 ? '00' : '50'}`,
    brand: brands[n % brands.length]!,
    condition: conditions[n % conditions.length]!,
    colours: colours[n % colours.length]!,
    size: sizes[n % sizes.length]!,
    quantity: 1,
    pictures: 1 + (n % 4),
    ...changes,
  }
}

/** Returns the full-size URLs of a product's pictures, cover first. */
export function picturesOf(product: Product): string[] {
  return Array.from(
    { length: product.pictures },
    (_, index) =>
      `https://${pictureHost}/b1/${product.shop.id}/${product.id * 10 + index}_5a3c9e07d1b24f68a0c5e7d9b1f3a5c7/P0.jpg`,
  )
}

/**
 * Returns a product as lists and single reads contain it (search responses of 2026-07). `summary`: with the first
 * picture only.
 */
export function productJson(product: Product, summary = false): Record<string, unknown> {
  const { id, slug, shop, sold, description, brand, size, quantity } = product
  const status = sold ? 'STATUS_PURCHASED' : 'STATUS_ONSALE'
  const reduced = product.price !== product.originalPrice
  const pictures = picturesOf(product).map((url, index) => ({
    id: id * 10 + index,
    formats: { P0: { height: 1280, width: 1280, url } },
    original_width: 960,
    original_height: 1280,
    is_square: false,
  }))
  const left = sold ? 0 : quantity
  const variants = size === null ? [] : [{ id: 17, quantity: left, status, variant: size }]
  return {
    id,
    user_id: shop.id,
    brand_id: 654,
    brand_name: brand.name,
    active_status: 'active',
    status,
    category: 13,
    category_name: 'Outerwear',
    categories: ['Womenswear', 'Outerwear'],
    description,
    pictures: summary ? pictures.slice(0, 1) : pictures,
    location: 'Sampleton, United States',
    country: 'US',
    slug,
    variant_set_id: 38,
    variants_all: variants,
    listed_quantity: left,
    attributes: {
      condition: product.condition,
      colour: product.colours,
      brand: brand.id,
      gender: 'female',
      is_kids: false,
      group: 'coats-jackets',
      product_type: 'jackets',
    },
    shipping_method: { shipping_id: 'USPS', parcel_size: 'medium', payer: 'buyer' },
    is_boosted: false,
    sizes: variants.map((variant) => ({ name: variant.variant, ...variant })),
    preview: pictures[0],
    like_count: 3,
    pricing: {
      currency: 'USD',
      currency_name: 'USD',
      current_price: priceJson(product.price),
      original_price: priceJson(product.originalPrice),
      total_price_components: { buyer_fee: false, shipping_price: false, tax: false },
      is_reduced: reduced,
      final_price_key: reduced ? 'current_price' : 'original_price',
    },
  }
}

/** Returns the page of a product: drawn by scripts, except its structured data. */
export function productPage(product: Product): string {
  const about = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.slug,
    description: product.description,
    brand: { '@type': 'Brand', name: product.brand.name },
    image: picturesOf(product),
    offers: {
      '@type': 'Offer',
      price: product.price,
      priceCurrency: 'USD',
      availability: `https://schema.org/${product.sold ? 'SoldOut' : 'InStock'}`,
    },
  }
  const json = JSON.stringify(about).replace(/</g, '\\u003c')
  return page('A product', `<main><h1>A product</h1></main><script type="application/ld+json">${json}</script>`)
}

/** Returns the tiles of a shop's page as its scripts draw them. */
export function shopTiles(products: readonly Product[]): string {
  return products
    .map(
      (product) =>
        `<li class="styles_tile__x1"><a href="/products/${product.slug}/"><img alt="" src="${picturesOf(product)[0]}"></a><p>$${product.price}</p></li>`,
    )
    .join('')
}

export function page(title: string, body: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} | Depop</title></head><body>${body}</body></html>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

function priceJson(amount: string) {
  return {
    total_price: amount,
    price_breakdown: {
      price: { amount },
      buyer_fee: { amount: '0.00' },
      tax: { amount: '0.00', tax_type: 'n/a' },
      shipping: { amount: '3.99', shipping_boundary: 'NATIONAL', shipping_id: 'USPS' },
    },
  }
}
