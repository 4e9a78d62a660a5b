import { readdirSync, readFileSync } from 'node:fs'
import { normaliseProduct } from '#extension/platforms/depop/normalise.ts'
import { parsePage, parseProduct, type RawProduct } from '#extension/platforms/depop/parse.ts'
import { normaliseItem } from '#extension/platforms/mercari/normalise.ts'
import { findShownPrice, parseItemState, type RawItem, rawItem } from '#extension/platforms/mercari/parse.ts'
import type { ReadResult, Shop } from '#extension/platforms/port.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import { normaliseListing } from '#extension/platforms/poshmark/normalise.ts'
import { parsePostDetail, type RawPost } from '#extension/platforms/poshmark/parse.ts'
import { at, parseJson } from '#extension/platforms/raw.ts'
import type { Listing } from '#shared/listing.ts'

/** A captured page or answer, and the reading that is expected of it. */
interface Captured<T> {
  name: string
  text: string
  expected: T
}

/** Returns the captures of a folder that have their expected reading beside them, in `<name>.expected.json`. */
export function capturesIn<T>(folder: URL): Captured<T>[] {
  const files = readdirSync(folder)
  return files
    .filter((file) => file.endsWith('.expected.json'))
    .map((file) => {
      const stem = file.replace(/expected\.json$/, '')
      const name = files.find((other) => other !== file && other.startsWith(stem))
      if (!name) throw new Error(`${file} has no capture beside it.`)
      return { name, text: readText(folder, name), expected: JSON.parse(readText(folder, file)) as T }
    })
}

/** Returns the text of a file of a folder. */
export function readText(folder: URL, name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}

/** Reads the only product of an answer of Depop. Throws for anything else. */
export function readProduct(text: string): { product: RawProduct; listing: Listing } {
  const page = parsePage(text)
  const single = parseProduct(text)
  const product =
    page && 'data' in page ? (page.data.products[0] as RawProduct) : single && 'data' in single ? single.data : null
  if (!product) throw new Error('The answer has no product.')
  const { listing } = normaliseProduct({
    id: String(product.id),
    slug: product.slug,
    username: product.slug.split('-')[0]!,
    product,
    entry: null,
    page: () => null,
    gone: false,
    sold: false,
  })
  return { product, listing }
}

/** Reads an item of Mercari from its page or its answer. `listed`: its state according to the list, if any. */
export function readItem(text: string, id: string, seller: string, listed: Listing['state'] | null = null): Listing {
  const isPage = text.startsWith('<')
  return normaliseItem({
    id,
    seller,
    listed,
    state: isPage ? parseItemState(text, id) : parseItemAnswer(text),
    summary: null,
    elements: () => null,
    shownPrice: isPage ? findShownPrice(text) : null,
    gone: false,
  }).listing
}

/** Returns the entries of a search answer of Mercari. */
export function searchEntries(text: string): RawItem[] {
  return JSON.parse(text).data.search.itemsList.map((one: unknown) => rawItem(one)!)
}

/** Reads an entry of Mercari's search. `gone`: the item's page is gone, so that the entry is all there is. */
export function readEntry(entry: RawItem, gone: boolean): Listing {
  return normaliseItem({
    id: entry.id,
    seller: String((entry.seller as { id: number }).id),
    listed: 'available',
    state: null,
    elements: () => null,
    shownPrice: null,
    summary: entry,
    gone,
  }).listing
}

/** Reads a page of Poshmark's posts from its JSON, after a closet page without state. */
export function readPosts(text: string, shop: Shop): ReadResult {
  const page = { url: shop.url, status: 200, text: '<html></html>' }
  const { cursor } = poshmark.readAnswer(poshmark.begin(shop), page)
  return poshmark.readAnswer(cursor, { ...page, text })
}

/** Reads a single post of Poshmark. Throws for anything else. */
export function readPost(text: string): Listing {
  const parsed = parsePostDetail(text)
  if (!parsed || 'error' in parsed) throw new Error('The answer is no post.')
  return normalisePost(parsed.data)
}

/** Returns Poshmark's closet page with a page of posts in its state, as the site's own script leaves it. */
export function closetPage(posts: string, username: string): string {
  const state = JSON.stringify({
    $_closet: { closetUserInfo: { data: { username } }, listingsPostData: JSON.parse(posts) },
  })
  return `<!doctype html><html><body><div id="app"></div><script>window.__INITIAL_STATE__=${state};(function(){var s;}());</script></body></html>`
}

/** Converts a post of Poshmark alone into a listing. */
export function normalisePost(post: RawPost): Listing {
  const page = () => ({ post: null, shown: null })
  return normaliseListing({ id: post.id, post, entry: null, entryFrom: 'api', page, last: true }).listing
}

/** Parses a single item `{data: {item}}` from Mercari's API, or returns null. */
export function parseItemAnswer(text: string): RawItem | null {
  return rawItem(at(parseJson(text), 'data.item'))
}
