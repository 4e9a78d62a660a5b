import { shortfall } from '#shared/import-issues.ts'
import type { ListingFailure } from '#shared/listing.ts'
import {
  type ListingRef,
  type PageAnswer,
  PageChanged,
  type PageRequest,
  ReadingStopped,
  type ReadResult,
  type Shop,
} from '../port.ts'
import { at, shortText } from '../raw.ts'
import { readIfUnchanged, resultOf } from '../read-result.ts'
import { challenge, isChallenge, loggedOut, refuseAnswer, refuseStatus } from '../refuse-answer.ts'
import { type Known, normaliseItem } from './normalise.ts'
import {
  hashIn,
  itemRequest,
  type ListName,
  listingUrl,
  listPageRequest,
  listRequest,
  lists,
  profileUrl,
  site,
} from './pages.ts'
import {
  findShownPrice,
  parseItemElements,
  parseItemState,
  parseList,
  parseListLinks,
  type RawItem,
  rawItem,
} from './parse.ts'

/**
 * Position in a seller's items: list by list, active items first, page by page from the site's API. Before the next page,
 * incomplete entries are read one by one from their item pages.
 */
interface Cursor {
  seller: string
  /** Lists still to read; the first is in progress. */
  lists: ListName[]
  /** Number of the list's next page, from 1. */
  page: number
  /** Entries read so far, and the first entry of the last page, to detect loops. */
  taken: number
  first: string | null
  /** The total that the list last stated; null: none. */
  total: number | null
  /** Entries on the first page, which every page but the last has. */
  size: number
  /** Other sellers' items among those entries. */
  others: number
  /** Ids of the last entries up to which the read is complete. */
  tail: string[]
  /** Pages to go back, until a page starts with one of those ids; 0: forward. */
  back: number
  /** Requested pages of the list, and its largest expected page count. */
  asked: number
  most: number
  /** `page`: the API was unreadable, so the seller's page is read. */
  from: 'api' | 'page'
  details: Detail[]
  /** A check, which reads no details. */
  glance: boolean
  /** True once a list showed an item of the seller. */
  own: boolean
  /** The query hash of the last list that was read. A tab that goes on may not have seen one. */
  hash?: string
}

/** An item to read. `list`: null if found in no list. `summary`: its list entry. */
interface Detail {
  id: string
  list: ListName | null
  summary: RawItem | null
}

export function begin(shop: Shop): string {
  return JSON.stringify(startOf(shop))
}

export function beginCheck(shop: Shop): string {
  return JSON.stringify({ ...startOf(shop), lists: ['on_sale'], glance: true } satisfies Cursor)
}

export function beginListings(shop: Shop, listings: readonly ListingRef[]): string {
  const details = listings.map(({ listing_id }) => ({ id: listing_id, list: null, summary: null }))
  return JSON.stringify({ ...startOf(shop), lists: [], details } satisfies Cursor)
}

/** The state of a list before its first page. */
const untouched = {
  ...{ page: 1, taken: 0, first: null, total: null, size: 0, others: 0 },
  ...{ tail: [], back: 0, asked: 0, most: 1 },
}

/** Number of ids kept to recognize the page that follows them. */
const tailLength = 200

function startOf(shop: Shop): Cursor {
  return {
    seller: shop.id ?? shop.username,
    lists: [...lists],
    ...untouched,
    from: 'api',
    details: [],
    glance: false,
    own: false,
  }
}

export function nextRequest(text: string): PageRequest | null {
  const cursor: Cursor = JSON.parse(text)
  const [detail] = cursor.details
  if (detail) return itemRequest(detail.id)
  const [list] = cursor.lists
  if (!list) return null
  return cursor.from === 'api'
    ? listRequest(cursor.seller, list, cursor.page, cursor.hash)
    : listPageRequest(list, cursor.page)
}

/** Parses an answer. Unreadable pages and items become failures. Throws ReadingStopped. */
export function readAnswer(text: string, answer: PageAnswer): ReadResult {
  const cursor: Cursor = JSON.parse(text)
  const [detail, ...details] = cursor.details
  if (detail) return readItem({ ...cursor, details }, detail, answer)
  const [list] = cursor.lists
  if (!list) return resultOf(cursor)
  return cursor.from === 'api' ? readList(cursor, list, answer) : readPage(cursor, list, answer)
}

function readList(cursor: Cursor, list: ListName, answer: PageAnswer): ReadResult {
  refuseAnswer(site, answer)
  const parsed = parseList(answer.text)
  if (parsed && 'error' in parsed) return handleError(cursor, list, parsed.error)
  if (!parsed) {
    if (isChallenge(answer.text)) throw challenge(site)
    return leaveApi(cursor, list, 'the answer was not understood')
  }
  const { items, more, total } = parsed.page
  cursor.hash = hashIn(answer.url) ?? cursor.hash
  const first = String(at(items[0], 'id') ?? '')
  const circles = items.length > 0 && cursor.first === first
  // Continue if the total says that more entries exist, even if the list claims its end.
  const holdsMore = total === null ? null : cursor.taken + items.length < total
  const goesOn = !circles && items.length > 0 && (more === true || (holdsMore ?? more ?? true))
  const own = items.filter((item) => !isOthers(item, cursor.seller))
  const leftOut = items.length - own.length
  // If the very first page shows only other sellers, this is another shop.
  if (leftOut > 1 && own.length === 0 && !cursor.own && list === 'on_sale' && cursor.page === 1) throw notYours()
  const others = cursor.others + leftOut
  const read = own.map((item, index) => readEntry(cursor, list, item, index))
  const nameless = read.length > 0 && read.every((one) => one.failure)
  if (nameless) return leaveApi(cursor, list, 'no entry has an id')
  const details = read.flatMap((one) => one.detail ?? [])
  const asked = cursor.asked + 1
  const most = Math.max(cursor.most, Math.ceil((total ?? 0) / Math.max(1, items.length)))
  // Each removed item shifts the later ones up, some of them past this page.
  const shrank = cursor.total !== null && total !== null && total < cursor.total
  const skipped = (shrank || cursor.back > 0) && cursor.page > 1 && !cursor.tail.includes(first)
  // Limit the pages, or a list that keeps shrinking would never end.
  const goesBack = skipped && asked < 2 * most + 2
  const ids = items.map((item) => String(at(item, 'id') ?? ''))
  const after: Cursor = goesBack
    ? {
        ...{ ...cursor, ...pagesBack(cursor), first: null },
        ...{ total, back: Math.max(1, cursor.back) * 2, asked, most },
      }
    : goesOn
      ? {
          ...{ ...cursor, page: cursor.page + 1, taken: cursor.taken + items.length, first, total, others },
          ...{ size: cursor.size || items.length, own: cursor.own || own.length > 0 },
          ...{ tail: [...cursor.tail, ...ids].slice(-tailLength), back: 0, asked, most },
        }
      : { ...nextList(cursor), own: cursor.own || own.length > 0 }
  // Compare the total the list states with the entries seen in it.
  const seen = cursor.taken + (circles ? 0 : items.length)
  const isShort = !goesBack && !goesOn && total !== null && seen - others < total
  const why =
    items.length === 0 && more === true
      ? 'it is empty but claims more pages'
      : leftOut > 1 && own.length === 0
        ? 'it shows items of other sellers only'
        : null
  return {
    ...resultOf(
      {
        ...after,
        details: cursor.glance ? [] : details,
      },
      read.flatMap((one) => one.read ?? []),
      [
        ...read.flatMap((one) => one.failure ?? []),
        ...(circles ? [pageFailure(cursor, list, 'a page repeats')] : []),
        ...(skipped && !goesBack ? [pageFailure(cursor, list, 'the list shrank at each page')] : []),
        ...(why ? [pageFailure(cursor, list, why)] : []),
        ...(isShort ? [shortOf(cursor, list, Math.max(0, seen - others), total)] : []),
      ],
    ),
    ...(leftOut > 0 ? { left_out: leftOut } : {}),
    ...(cursor.glance ? { seen: details.map(refOf) } : {}),
  }
}

/** Returns how many pages to go back, and the number of entries before them. All pages but the last are equally long. */
function pagesBack(cursor: Cursor): Pick<Cursor, 'page' | 'taken' | 'others'> {
  const page = Math.max(1, cursor.page - Math.max(1, cursor.back))
  return { page, taken: (page - 1) * cursor.size, others: 0 }
}

const wordsFor: Record<ListName, string> = { on_sale: 'for sale', trading: 'in progress', sold_out: 'sold' }

function shortOf(cursor: Cursor, list: ListName, found: number, total: number): ListingFailure {
  const part = { name: list, words: wordsFor[list] }
  return {
    ...shortfall({ platform: 'Mercari', what: 'page' }, { found, total }, part),
    url: profileUrl(cursor.seller),
  }
}

function refOf({ id, summary }: Detail): ListingRef {
  return { listing_id: id, url: listingUrl(id), title: shortText(summary?.name) ?? '' }
}

/** Handles an API error. An unknown query counts as a changed page, never as an empty shop. */
function handleError(cursor: Cursor, list: ListName, error: { code: string; message: string }): ReadResult {
  if (error.code === 'UNAUTHENTICATED') throw loggedOut(site)
  if (error.code === 'FORBIDDEN') refuseStatus(site, 403)
  if (/^(PERSISTED_QUERY_|GRAPHQL_|BAD_USER_INPUT)/.test(error.code)) {
    return leaveApi(cursor, list, `Mercari answered ${error.code}`)
  }
  throw new ReadingStopped('unreachable', `Mercari says: ${error.message}`.slice(0, 500))
}

/** Reads the rest of a list from the seller's page and reports that the API changed. */
function leaveApi(cursor: Cursor, list: ListName, why: string): ReadResult {
  const next: Cursor = cursor.glance ? nextList(cursor) : { ...cursor, from: 'page' }
  return resultOf(next, [], [pageFailure(cursor, list, why)])
}

function readPage(cursor: Cursor, list: ListName, answer: PageAnswer): ReadResult {
  refuseAnswer(site, answer)
  const ids = parseListLinks(answer.text)
  if (ids.length === 0 && isChallenge(answer.text)) throw challenge(site)
  const circles = ids.length > 0 && cursor.first === ids[0]
  const details = circles ? [] : ids.map((id) => ({ id, list, summary: null }))
  const goesOn = details.length > 0
  return resultOf({
    ...(goesOn ? { ...cursor, page: cursor.page + 1, first: ids[0]! } : nextList(cursor)),
    details,
  })
}

/** Reads a list entry, schedules a detail read, or returns a failure for an entry without an id. */
function readEntry(cursor: Cursor, list: ListName, entry: unknown, index: number) {
  const summary = rawItem(entry)
  if (!summary) {
    return {
      failure: failureOf(
        `${list}-page-${cursor.page}-position-${index + 1}`,
        'page_changed',
        `page changed: listing_id (item ${index + 1} of page ${cursor.page} has no id)`,
        { field: 'listing_id' },
      ),
    }
  }
  const detail: Detail = { id: summary.id, list, summary }
  const read = readIfUnchanged(() => normaliseItem(knownOf(cursor, detail, null, false)))
  return read instanceof PageChanged ? { detail } : { read }
}

function readItem(cursor: Cursor, detail: Detail, answer: PageAnswer): ReadResult {
  const { summary, id, list } = detail
  const title = shortText(summary?.name)
  const gone = answer.status === 404 || answer.status === 410
  if (gone && (list === 'on_sale' || list === null || !summary)) {
    const failure = failureOf(id, 'fetch_failed', 'Mercari no longer shows this item.', { title })
    return { ...resultOf(cursor, [], [failure]), gone: [id] }
  }
  if (!gone) refuseAnswer(site, answer)
  const known = knownOf(cursor, detail, gone ? null : answer.text, gone)
  if (known.state && isOthers(known.state, cursor.seller)) return { ...resultOf(cursor), left_out: 1 }
  const read = readIfUnchanged(() => normaliseItem(known))
  if (read instanceof PageChanged) {
    if (!gone && isChallenge(answer.text)) throw challenge(site)
    return resultOf(cursor, [], [failureOf(id, 'page_changed', read.message, { field: read.field, title })])
  }
  // If the list and the item's page use different units, the list's other prices are doubtful too.
  const odd = list !== null && summary && isOtherUnit(summary.price, read.listing.price_minor)
  return resultOf(cursor, [read], odd ? [pageFailure(cursor, list, 'its prices use another unit')] : [])
}

function isOtherUnit(listed: unknown, price: number): boolean {
  if (typeof listed !== 'number' || listed <= 0 || price <= 0) return false
  const ratio = listed > price ? listed / price : price / listed
  return Math.abs(ratio - 100) <= 5
}

function knownOf(cursor: Cursor, detail: Detail, html: string | null, gone: boolean): Known {
  const { id, summary, list } = detail
  return {
    id,
    seller: cursor.seller,
    listed: list === null ? null : list === 'on_sale' ? 'available' : 'sold',
    summary,
    state: html === null ? null : parseItemState(html, id),
    elements: () => (html === null ? null : parseItemElements(html, id)),
    shownPrice: html === null ? null : findShownPrice(html),
    gone,
  }
}

function isOthers(item: unknown, seller: string): boolean {
  const id = at(item, 'seller.id')
  return (typeof id === 'number' || typeof id === 'string') && String(id) !== seller
}

function notYours(): ReadingStopped {
  return new ReadingStopped('not_yours', 'Mercari shows items of another seller.')
}

function nextList(cursor: Cursor): Cursor {
  return { ...cursor, lists: cursor.lists.slice(1), ...untouched, from: 'api' }
}

function pageFailure(cursor: Cursor, list: ListName, why: string): ListingFailure {
  return failureOf(
    `${list}-page-${cursor.page}`,
    'page_changed',
    `page changed: listings (page ${cursor.page} of ${list}: ${why})`,
    { field: 'listings', url: profileUrl(cursor.seller) },
  )
}

function failureOf(
  listing_id: string,
  error_code: ListingFailure['error_code'],
  error_message: string,
  more: { field?: string; title?: string | undefined; url?: string },
): ListingFailure {
  const url = more.url ?? (/^m\d+$/.test(listing_id) ? listingUrl(listing_id) : undefined)
  return {
    listing_id,
    error_code,
    error_message: error_message.slice(0, 2_000),
    ...(url ? { url } : {}),
    ...(more.title ? { title: more.title } : {}),
    ...(more.field ? { field: more.field } : {}),
  }
}
