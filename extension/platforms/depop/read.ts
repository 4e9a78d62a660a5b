import { shortfall } from '#shared/import-issues.ts'
import type { ListingFailure } from '#shared/listing.ts'
import { type PageProduct, parseJsonLd } from '../json-ld.ts'
import {
  type ListingRef,
  type PageAnswer,
  PageChanged,
  type PageRequest,
  ReadingStopped,
  type ReadResult,
  type Shop,
} from '../port.ts'
import { at } from '../raw.ts'
import { readIfUnchanged, resultOf } from '../read-result.ts'
import { challenge, isChallenge, refuseAnswer } from '../refuse-answer.ts'
import { addTotal, type Totals } from '../shop-total.ts'
import { type Known, normaliseProduct, titleOf } from './normalise.ts'
import {
  type ListName,
  listRequest,
  lists,
  productPageRequest,
  productRequest,
  productUrl,
  shopPageRequest,
  shopUrl,
  site,
  slugAt,
} from './pages.ts'
import { parsePage, parseProduct, parseProductLinks, type RawProduct, rawProduct } from './parse.ts'

/**
 * Position in a shop: first the active products, then the sold ones, page by page from the site's JSON. Before the next
 * page, incomplete entries are read one by one from their JSON or their page.
 */
interface Cursor {
  username: string
  /** The shop's id for the API; null: unknown. */
  shop: string | null
  /** Lists still to read; the first is in progress. */
  lists: ListName[]
  page: number
  /** The site's cursor for the next page, and those already used, to detect loops. */
  after: string | null
  used: string[]
  /** `page`: the JSON was unreadable, so the public page is read. */
  from: 'api' | 'page'
  details: Detail[]
  /** A check, which reads no details. */
  glance: boolean
  /** The total that the list states, and the number of the shop's products found in it. */
  totals: Totals | null
  found: number
  /** True once a list showed a product of the shop. */
  own: boolean
}

const uncounted = { totals: null, found: 0 }

interface Detail {
  slug: string
  /** The product's id, if known. */
  id?: string
  /** Null: found in no list. */
  list: ListName | null
  /** The list's entry. */
  entry: RawProduct | null
  /** The product's own JSON, if it was incomplete too. */
  product: RawProduct | null
  /** The next place to read. */
  from: 'api' | 'page'
}

export function begin(shop: Shop): string {
  return JSON.stringify(startOf(shop))
}

export function beginCheck(shop: Shop): string {
  return JSON.stringify({ ...startOf(shop), lists: ['selling'], glance: true } satisfies Cursor)
}

export function beginListings(shop: Shop, listings: readonly ListingRef[]): string {
  const details = listings.flatMap(({ listing_id: id, url }) => {
    const slug = slugAt(url)
    return slug ? [{ slug, id, list: null, entry: null, product: null, from: 'api' as const }] : []
  })
  return JSON.stringify({ ...startOf(shop), lists: [], details } satisfies Cursor)
}

function startOf(shop: Shop): Cursor {
  return {
    username: shop.username,
    shop: shop.id ?? null,
    lists: [...lists],
    page: 1,
    after: null,
    used: [],
    from: shop.id === undefined ? 'page' : 'api',
    details: [],
    glance: false,
    ...uncounted,
    own: false,
  }
}

export function nextRequest(text: string): PageRequest | null {
  const cursor: Cursor = JSON.parse(text)
  const [detail] = cursor.details
  if (detail) return (detail.from === 'api' ? productRequest : productPageRequest)(detail.slug)
  const [list] = cursor.lists
  if (!list) return null
  return cursor.from === 'api' && cursor.shop !== null
    ? listRequest(cursor.shop, list, cursor.after)
    : shopPageRequest(cursor.username)
}

/** Parses an answer. Unreadable pages and products become failures. Throws ReadingStopped. */
export function readAnswer(text: string, answer: PageAnswer): ReadResult {
  const cursor: Cursor = JSON.parse(text)
  const [detail, ...details] = cursor.details
  if (detail) {
    return (detail.from === 'api' ? readProduct : readProductPage)({ ...cursor, details }, detail, answer)
  }
  const [list] = cursor.lists
  if (!list) return resultOf(cursor)
  return cursor.from === 'api' && cursor.shop !== null ? readList(cursor, list, answer) : readShopPage(cursor, answer)
}

function readList(cursor: Cursor, list: ListName, answer: PageAnswer): ReadResult {
  refuseAnswer(site, answer)
  const parsed = parsePage(answer.text)
  if (!parsed || 'error' in parsed) {
    if (!parsed && isChallenge(answer.text)) throw challenge(site)
    const why = parsed ? `Depop answered ${parsed.error.code}, ${parsed.error.message}` : 'it was not understood'
    return leaveApi(cursor, list, why)
  }
  const { products, next, stuck, total } = parsed.data
  const circles = next !== null && cursor.used.includes(next)
  const goesOn = next !== null && !circles
  const own = products.filter((product) => !isOthers(product, cursor))
  const leftOut = products.length - own.length
  // If the very first page shows only other sellers, this is another shop.
  if (leftOut > 1 && own.length === 0 && !cursor.own && list === 'selling' && cursor.page === 1) throw notYours()
  const read = own.map((product, index) => readEntry(cursor, list, product, index))
  const nameless = read.length > 0 && read.every((one) => one.failure)
  if (nameless) return leaveApi(cursor, list, 'no entry has an id')
  const details = read.flatMap((one) => one.detail ?? [])
  const totals = addTotal(cursor.totals, total)
  const found = cursor.found + own.length
  const isShort = !goesOn && totals !== null && found < totals.least
  const why =
    circles || stuck
      ? 'it has no next cursor'
      : products.length === 0 && goesOn
        ? 'it is empty but claims more pages'
        : leftOut > 1 && own.length === 0
          ? 'it shows products of other sellers only'
          : null
  const seen = { totals, found, own: cursor.own || own.length > 0 }
  return {
    ...resultOf(
      {
        ...(goesOn
          ? { ...cursor, ...seen, page: cursor.page + 1, after: next, used: [...cursor.used, next] }
          : { ...nextList(cursor), own: seen.own }),
        details: cursor.glance ? [] : details,
      },
      read.flatMap((one) => one.read ?? []),
      [
        ...read.flatMap((one) => one.failure ?? []),
        ...(why ? [pageFailure(cursor, list, why)] : []),
        ...(isShort ? [shortOf(cursor, list, found, totals.least)] : []),
      ],
    ),
    ...(leftOut > 0 ? { left_out: leftOut } : {}),
    ...(cursor.glance ? { seen: details.flatMap((detail) => refOf(detail, cursor)) } : {}),
  }
}

function shortOf(cursor: Cursor, list: ListName, found: number, total: number): ListingFailure {
  const part = { name: list, words: list === 'sold' ? 'sold' : 'for sale' }
  return {
    ...shortfall({ platform: 'Depop', what: 'page' }, { found, total }, part),
    url: shopUrl(cursor.username),
  }
}

/** Returns a reference to a product, or none for an entry without an id. */
function refOf({ slug, entry }: Detail, cursor: Cursor): ListingRef[] {
  const description = at(entry, 'description')
  const title = titleOf(typeof description === 'string' ? description : '', slug, cursor.username)
  return entry ? [{ listing_id: String(entry.id), url: productUrl(slug), title }] : []
}

/** Continues with the links on the shop page and reports that the JSON changed. */
function leaveApi(cursor: Cursor, list: ListName, why: string): ReadResult {
  const failure = pageFailure(cursor, list, why)
  // The shop page shows only active products, and without ids.
  return list === 'sold' || cursor.glance
    ? resultOf(nextList(cursor), [], [failure])
    : resultOf({ ...cursor, from: 'page' }, [], [failure])
}

function readShopPage(cursor: Cursor, answer: PageAnswer): ReadResult {
  refuseAnswer(site, answer)
  if (cursor.glance) return resultOf(nextList(cursor), [], [pageFailure(cursor, 'selling', 'the shop has no number')])
  const slugs = parseProductLinks(answer.text)
  if (slugs.length === 0 && isChallenge(answer.text)) throw challenge(site)
  const details = slugs.map((slug) => ({
    slug,
    list: 'selling' as const,
    entry: null,
    product: null,
    from: 'api' as const,
  }))
  // Without an id, only this page of the shop can be read.
  if (cursor.shop === null) {
    return resultOf({ ...cursor, lists: [], details }, [], [pageFailure(cursor, 'selling', 'the shop has no number')])
  }
  return resultOf({ ...nextList(cursor), details })
}

/** Reads a list entry, schedules a detail read, or returns a failure for an entry without an id. */
function readEntry(cursor: Cursor, list: ListName, entry: unknown, index: number) {
  const raw = rawProduct(entry)
  if (!raw) {
    const slug = at(entry, 'slug')
    if (typeof slug === 'string' && slug.length < 500 && slug !== '') {
      return { detail: { slug, list, entry: null, product: null, from: 'api' as const } }
    }
    return {
      failure: failureOf(
        `${list}-page-${cursor.page}-position-${index + 1}`,
        'page_changed',
        `page changed: listing_id (product ${index + 1} of page ${cursor.page} has no id)`,
        { field: 'listing_id' },
      ),
    }
  }
  const detail: Detail = { slug: raw.slug, list, entry: raw, product: null, from: 'api' }
  const read = readIfUnchanged(() => normaliseProduct(knownOf(cursor, detail, {})))
  return read instanceof PageChanged ? { detail } : { read }
}

function readProduct(cursor: Cursor, detail: Detail, answer: PageAnswer): ReadResult {
  if (answer.status === 404) return readDeleted(cursor, detail)
  refuseAnswer(site, answer)
  const parsed = parseProduct(answer.text)
  const product = parsed && 'data' in parsed && parsed.data.slug === detail.slug ? parsed.data : null
  if (!product && isChallenge(answer.text)) throw challenge(site)
  if (isOthers(product, cursor)) return { ...resultOf(cursor), left_out: 1 }
  const read = readIfUnchanged(() => normaliseProduct(knownOf(cursor, detail, { product })))
  if (!(read instanceof PageChanged)) return resultOf(cursor, [read])
  // Fall back to the product's page.
  return resultOf({ ...cursor, details: [{ ...detail, product, from: 'page' }, ...cursor.details] })
}

/** Handles a deleted product. A sold one can be read from its list entry alone. */
function readDeleted(cursor: Cursor, detail: Detail): ReadResult {
  const failure = failureFor(detail, cursor, 'fetch_failed', 'Depop no longer shows this product.')
  const nothing = { ...resultOf(cursor, [], [failure]), gone: [failure.listing_id] }
  if (detail.list !== 'sold' || !detail.entry) return nothing
  const read = readIfUnchanged(() => normaliseProduct(knownOf(cursor, detail, { gone: true })))
  return read instanceof PageChanged ? nothing : resultOf(cursor, [read])
}

function readProductPage(cursor: Cursor, detail: Detail, answer: PageAnswer): ReadResult {
  if (answer.status === 404 && !detail.product) return readDeleted(cursor, detail)
  refuseAnswer(site, answer)
  const known = { product: detail.product, page: answer }
  const read = readIfUnchanged(() => normaliseProduct(knownOf(cursor, detail, known)))
  if (!(read instanceof PageChanged)) return resultOf(cursor, [read])
  if (isChallenge(answer.text)) throw challenge(site)
  return resultOf(cursor, [], [failureFor(detail, cursor, 'page_changed', read.message, read.field)])
}

/** Combines the data about a product. Throws PageChanged if its id is unknown. */
function knownOf(
  cursor: Cursor,
  detail: Detail,
  { product = null, page, gone = false }: { product?: RawProduct | null; page?: PageAnswer; gone?: boolean },
): Known {
  const { slug, entry, list } = detail
  const id = product?.id ?? entry?.id
  if (id === undefined) throw new PageChanged('depop', 'listing_id', productUrl(slug), 'id')
  return {
    id: String(id),
    slug,
    username: cursor.username,
    product,
    entry,
    page: () => (page ? shownOf(slug, page) : null),
    gone,
    sold: list === null ? null : list === 'sold',
  }
}

/** Returns the page's JSON-LD of the product. Redirects and suggestions may describe other products. */
function shownOf(slug: string, { url, text }: PageAnswer): PageProduct | null {
  // Encoding may change an unusual slug, so also accept the requested URL.
  if (slugAt(url) !== slug && url !== productUrl(slug)) return null
  return parseJsonLd(text, (address) => (slugAt(address) ?? slug) !== slug)
}

function isOthers(product: unknown, cursor: Cursor): boolean {
  const user_id = at(product, 'user_id')
  if (typeof user_id !== 'number' && typeof user_id !== 'string') return false
  return cursor.shop !== null && String(user_id) !== cursor.shop
}

function notYours(): ReadingStopped {
  return new ReadingStopped('not_yours', 'Depop shows products of another seller.')
}

function nextList(cursor: Cursor): Cursor {
  return { ...cursor, lists: cursor.lists.slice(1), page: 1, after: null, used: [], from: 'api', ...uncounted }
}

function pageFailure(cursor: Cursor, list: ListName, why: string): ListingFailure {
  return failureOf(
    `${list}-page-${cursor.page}`,
    'page_changed',
    `page changed: listings (page ${cursor.page} of the ${list === 'sold' ? 'sold' : 'active'} products: ${why})`,
    { field: 'listings', url: shopUrl(cursor.username) },
  )
}

function failureFor(
  detail: Detail,
  cursor: Cursor,
  error_code: ListingFailure['error_code'],
  message: string,
  field?: string,
): ListingFailure {
  const description = at(detail.product ?? detail.entry, 'description')
  return failureOf(
    String((detail.product ?? detail.entry)?.id ?? detail.id ?? detail.slug).slice(0, 200),
    error_code,
    message,
    {
      url: productUrl(detail.slug),
      title: titleOf(typeof description === 'string' ? description : '', detail.slug, cursor.username).slice(0, 200),
      ...(field ? { field } : {}),
    },
  )
}

function failureOf(
  listing_id: string,
  error_code: ListingFailure['error_code'],
  error_message: string,
  more: Pick<ListingFailure, 'field' | 'title' | 'url'>,
): ListingFailure {
  return { listing_id, error_code, error_message: error_message.slice(0, 2_000), ...more }
}
