import * as depopData from '#e2e/sites/depop-data.ts'
import * as mercariData from '#e2e/sites/mercari-data.ts'
import * as poshmarkData from '#e2e/sites/poshmark-data.ts'
import { depop } from '#extension/platforms/depop/index.ts'
import { mercari } from '#extension/platforms/mercari/index.ts'
import type { PageContext, PageRequest, ScrapePlatform, Shop } from '#extension/platforms/port.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import type { Listing } from '#shared/listing.ts'
import type { GivenAnswer } from './read-shop.ts'

/** Fields that every listing must have, compared by the tests. */
export const requiredFields = [
  'listing_id',
  'url',
  'title',
  'description',
  'price_minor',
  'currency',
  'state',
  'images',
] as const
type Truth = Pick<Listing, (typeof requiredFields)[number]>

/** A generated shop on a platform with its true listings and the platform's answers. */
export interface ShopFixture {
  platform: ScrapePlatform
  shop: Shop
  /** Page context of the shop's own page with its seller signed in. */
  own: PageContext
  truth: Truth[]
  /** Returns the site's answer to a request. */
  answer(request: PageRequest): GivenAnswer
  /** Returns the kind of answer, such as `list`, `item` or `shop page`. */
  layerOf(request: PageRequest): string
}

/** Characters that could break a parser or an interface. They must stay text. */
export const hostileText =
  '"};(function(){}()); </script><script>alert(1)</script> <img src=x onerror=alert(1)> $(x) {{x}} \u202e\u0007 \' -- 🧥'

export interface ShopOptions {
  /** Active listings, and sold ones where the platform's sold listings are read. */
  listings?: number
  sold?: number
  /** Appended to every text of a listing. */
  words?: string
}

/** Fixtures for every platform that is read in the seller's tab. */
export const shopFixtures = { poshmark: poshmarkShop, mercari: mercariShop, depop: depopShop } satisfies Record<
  string,
  (options?: ShopOptions) => ShopFixture
>

function mercariShop({ listings = 3, sold = 2, words = '' }: ShopOptions = {}): ShopFixture {
  const seller = mercariData.buildSeller(910_000_017)
  const items = Array.from({ length: listings + sold }, (_, n) => {
    const item = mercariData.buildItem(seller, n, {
      status: n < listings ? 'on_sale' : n % 2 === 0 ? 'trading' : 'sold_out',
    })
    return { ...item, name: item.name + words, description: item.description + words }
  })
  const own = { url: `https://www.mercari.com/u/${seller.id}/`, cookies: {}, texts: { account: String(seller.id) } }
  const itemOf = (url: URL) => items.find((item) => url.pathname === `/us/item/${item.id}/`)
  return {
    platform: mercari,
    shop: mercari.findShop(own.url, own)!,
    own,
    truth: items.map((item) => ({
      listing_id: item.id,
      url: `https://www.mercari.com/us/item/${item.id}/`,
      title: item.name,
      description: item.description,
      price_minor: item.price,
      currency: 'USD',
      state: item.status === 'on_sale' ? 'available' : 'sold',
      images: mercariData.photosOf(item),
    })),
    answer(request) {
      const url = new URL(request.url)
      if (request.accept === 'json') {
        const { status, page } = JSON.parse(url.searchParams.get('variables') ?? '{}').userItemsInput
        const all = items.filter((item) => item.status === status)
        const shown = all.slice((page - 1) * 20, page * 20)
        const entries = shown.map((item) => {
          const n = items.indexOf(item)
          const entry = mercariData.listEntry(item, n % 3 === 0)
          return n % 3 === 1 ? { ...entry, photos: [entry.photos].flat().slice(0, 1) } : entry
        })
        const userItems = { items: entries, totalCount: all.length, hasMore: page * 20 < all.length }
        return JSON.stringify({ data: { userItems } })
      }
      const item = itemOf(url)
      if (item) {
        const elements = mercariData.itemElements(item, true)
        return mercariData.pageWithState('An item', mercariData.itemState(item), elements)
      }
      const listed = { active: 'on_sale', in_progress: 'trading', complete: 'sold_out' }[url.pathname.split('/')[3]!]
      if (url.searchParams.has('page')) return '<main></main>'
      return items
        .filter((one) => one.status === listed)
        .map((one) => `<a class="x1" href="/us/item/${one.id}/">An item</a>`)
        .join('')
    },
    layerOf(request) {
      if (request.accept === 'json') return 'list'
      return itemOf(new URL(request.url)) ? 'item page' : 'list page'
    },
  }
}

function depopShop({ listings = 4, sold = 1, words = '' }: ShopOptions = {}): ShopFixture {
  const shop = { id: 7_654_321, username: 'sample_shop' }
  const products = Array.from({ length: listings + sold }, (_, n) => {
    const product = depopData.buildProduct(shop, n, { sold: n >= listings })
    return { ...product, description: product.description.replace('\n', `${words}\n`) + words }
  })
  const own = {
    url: 'https://www.depop.com/sample_shop/',
    cookies: {},
    texts: { account: JSON.stringify({ id: String(shop.id), username: shop.username }) },
  }
  const productOf = (url: string) => products.find((product) => url.includes(`/${product.slug}/`))
  return {
    platform: depop,
    shop: depop.findShop(own.url, own)!,
    own,
    truth: products.map((product) => ({
      listing_id: String(product.id),
      url: `https://www.depop.com/products/${product.slug}/`,
      title: product.description.split('\n')[0]!.trim(),
      description: product.description,
      price_minor: Math.round(Number(product.originalPrice) * 100),
      currency: 'USD',
      state: product.sold ? 'sold' : 'available',
      images: depopData.picturesOf(product),
    })),
    answer(request) {
      const product = productOf(request.url)
      if (product && request.accept === 'json') return JSON.stringify(depopData.productJson(product))
      if (product) return depopData.productPage(product)
      const url = new URL(request.url)
      if (request.accept === 'html') {
        return depopData.page('Shop', depopData.shopTiles(products.filter((one) => !one.sold)))
      }
      const all = products.filter((one) => one.sold === url.pathname.endsWith('/by-status/sold/'))
      const start = Number(url.searchParams.get('after') ?? 0)
      const objects = all
        .slice(start, start + 24)
        .map((one) => depopData.productJson(one, products.indexOf(one) % 3 === 0))
      const has_more = start + 24 < all.length
      const page_info = has_more ? { has_more, last: String(start + 24) } : { has_more }
      return JSON.stringify({ meta: { total_count: all.length }, page_info, objects })
    },
    layerOf(request) {
      if (productOf(request.url)) return request.accept === 'json' ? 'product' : 'product page'
      return request.accept === 'json' ? 'list' : 'shop page'
    },
  }
}

function poshmarkShop({ listings = 5, sold = 2, words = '' }: ShopOptions = {}): ShopFixture {
  const closet = poshmarkData.buildCloset('samplecloset', listings + sold, 1)
  for (const [n, post] of closet.posts.entries()) {
    if (n >= listings) poshmarkData.sell(post)
    post.title += words
    post.description += words
  }
  const own = {
    url: 'https://poshmark.com/closet/samplecloset',
    cookies: { ui: encodeURIComponent(JSON.stringify({ uid: closet.uid, dh: closet.username })) },
    texts: { listings_count: String(listings) },
  }
  const onPage = 20
  /** Removes description and pictures from every third list entry. */
  const entryOf = ({ description, pictures, ...rest }: poshmarkData.Post, n: number) =>
    n % 3 === 1 ? rest : { ...rest, description, pictures }
  const listFrom = (status: unknown, start: number, count: number) => {
    const all = closet.posts.map(entryOf).filter((post) => statusOf(post) === status)
    return {
      data: all.slice(start, start + count),
      more: start + count < all.length ? { next_max_id: start + count } : {},
    }
  }
  const statusOf = (post: Record<string, unknown>) => (post.inventory as { status: string }).status
  const postOf = (url: string) =>
    closet.posts.find((post) => url.endsWith(`/vm-rest/posts/${post.id}`) || url.endsWith(`/listing/${post.id}`))
  const isPage = (request: PageRequest) => request.accept === 'html'
  return {
    platform: poshmark,
    shop: poshmark.findShop(own.url, own)!,
    own,
    truth: closet.posts.map((post) => {
      const { price, cover_shot, pictures } = post as unknown as {
        price: number
        cover_shot: { url_large: string }
        pictures: { url_large: string }[]
      }
      return {
        listing_id: post.id,
        url: expectedPoshmarkUrl(post),
        title: post.title,
        description: String(post.description),
        price_minor: price * 100,
        currency: 'USD',
        state: statusOf(post) === 'sold_out' ? 'sold' : 'available',
        images: [cover_shot, ...pictures].map((picture) => picture.url_large),
      }
    }),
    answer(request) {
      const post = postOf(request.url)
      if (post && isPage(request)) return poshmarkListingPage(post)
      if (post) return JSON.stringify({ data: post })
      if (!isPage(request)) {
        const asked = JSON.parse(new URL(request.url).searchParams.get('request') ?? '{}')
        return JSON.stringify(listFrom(asked.filters.inventory_status[0], asked.max_id ?? 0, 48))
      }
      const shown = new URL(request.url).searchParams.get('availability')
      const state = {
        $_config: { pm_version: '2026.41.02' },
        $_closet: {
          closetUserInfo: { data: { username: closet.username } },
          listingsPostData: listFrom(shown, 0, onPage),
        },
      }
      const tiles = closet.posts
        .filter((post) => statusOf(post) === shown)
        .slice(0, onPage)
        .map(
          (one) =>
            `<div class="tile"><a data-et-name="listing" data-et-prop-listing_id="${one.id}" href="/listing/x-${one.id}"><span class="tile__title">x</span></a></div>`,
        )
      const json = JSON.stringify(state).replace(/</g, '\\u003C')
      const header = `<span data-test="closet_listings_count">${listings}</span>`
      return `<html><body>${header}<main>${tiles.join('')}</main><script>window.__INITIAL_STATE__=${json};(function(){var s;}());</script></body></html>`
    },
    layerOf(request) {
      if (postOf(request.url)) return isPage(request) ? 'listing page' : 'post'
      return isPage(request) ? 'closet page' : 'list'
    },
  }
}

/** Returns a listing page with the closet's kind of state and JSON-LD. No capture of such a page exists. */
function poshmarkListingPage(post: poshmarkData.Post): string {
  const { price, cover_shot, pictures } = post as unknown as {
    price: number
    cover_shot: { url_large: string }
    pictures: { url_large: string }[]
  }
  const sold = (post.inventory as { status?: string }).status === 'sold_out'
  const about = {
    '@type': 'Product',
    name: post.title,
    description: post.description,
    image: [cover_shot, ...pictures].map((picture) => picture.url_large),
    offers: {
      price: `${price}.00`,
      priceCurrency: 'USD',
      availability: `https://schema.org/${sold ? 'OutOfStock' : 'InStock'}`,
    },
  }
  const safe = (value: unknown) => JSON.stringify(value).replace(/</g, '\\u003C')
  const state = { $_listing_details: { listingDetails: post } }
  return `<html><head><script type="application/ld+json">${safe(about)}</script></head><body><h1 class="x">A listing</h1><script>window.__INITIAL_STATE__=${safe(state)};(function(){var s;}());</script></body></html>`
}

/** Returns a listing's expected URL: the site's own slug of the title, then the id. */
function expectedPoshmarkUrl(post: poshmarkData.Post): string {
  const words = post.title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  return `https://poshmark.com/listing/${`${words.join('-')}`.slice(0, 100).replace(/-+$/, '')}-${post.id}`
}
