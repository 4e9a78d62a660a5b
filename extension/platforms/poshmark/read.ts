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
import { type ReadListing, readIfUnchanged, resultOf } from '../read-result.ts'
import { challenge, isChallenge, refuseAnswer, refuseStatus } from '../refuse-answer.ts'
import { addTotal, type Totals } from '../shop-total.ts'
import { type Known, normaliseListing } from './normalise.ts'
import {
  closetPage,
  closetUrl,
  type ListName,
  listingAt,
  listingPage,
  listingUrl,
  lists,
  postDetail,
  postsPage,
  site,
} from './pages.ts'
import {
  type ClosetPage,
  findCount,
  findVersion,
  type Parsed,
  type PostPage,
  parseClosetState,
  parseListingState,
  parsePostDetail,
  parsePostPage,
  parseTiles,
  type RawPost,
  rawPost,
} from './parse.ts'

/**
 * Position in a closet: first the page with its state, then the API page by page, active posts before sold ones. Before
 * the next page, incomplete entries are read one by one.
 */
interface Cursor {
  username: string
  version: string | null
  /** Lists still to read; the first is in progress. */
  lists: ListName[]
  /** Number of the next page, for failure messages. */
  page: number
  next: { kind: 'closet' } | { kind: 'posts'; maxId: string | number | null } | { kind: 'recount' } | { kind: 'end' }
  details: Detail[]
  /** Listings in the page's elements, read one by one if the API is unreadable too. */
  tiles: { id: string; title: string }[]
  /** Cursors already used, to detect loops. */
  used: (string | number)[]
  /** A check, which reads no details. */
  glance: boolean
  /** The counts in the closet's header; null: not seen. */
  totals: Totals | null
  /** Number of the seller's own entries found in each list. */
  found: Record<ListName, number>
  /** The API returned an empty list, which its page has to confirm. */
  empty: boolean
}

/** A listing to read. `entry`: the closet's entry. `post`: its own JSON. `from`: the next place to read. */
interface Detail {
  id: string
  title: string
  entry: RawPost | null
  entryFrom: 'state' | 'api'
  post: RawPost | null
  from: 'api' | 'page'
}

export function begin(shop: Shop, listingCount: number | null = null): string {
  return JSON.stringify({ ...startOf(shop), totals: addTotal(null, listingCount) } satisfies Cursor)
}

export function beginCheck(shop: Shop): string {
  return JSON.stringify({ ...startOf(shop), lists: ['available'], glance: true } satisfies Cursor)
}

export function beginListings(shop: Shop, listings: readonly ListingRef[]): string {
  const details = listings.map(({ listing_id, title }) =>
    detailOf({ id: listing_id, title: title.slice(0, 200) }, null, 'api'),
  )
  return JSON.stringify({ ...startOf(shop), lists: [], next: { kind: 'end' }, details } satisfies Cursor)
}

function startOf(shop: Shop): Cursor {
  return {
    username: shop.username,
    version: null,
    lists: [...lists],
    page: 1,
    next: { kind: 'closet' },
    details: [],
    tiles: [],
    used: [],
    glance: false,
    totals: null,
    found: { available: 0, sold_out: 0 },
    empty: false,
  }
}

export function nextRequest(text: string): PageRequest | null {
  const cursor: Cursor = JSON.parse(text)
  const detail = cursor.details[0]
  if (detail) return (detail.from === 'api' ? postDetail : listingPage)(detail.id)
  const { username, version, next } = cursor
  const [list] = cursor.lists
  if (next.kind === 'recount') return closetPage(username, 'available')
  if (!list || next.kind === 'end') return null
  return next.kind === 'closet' ? closetPage(username, list) : postsPage(username, list, next.maxId, version)
}

/** Parses an answer. Unreadable pages and listings become failures. Throws ReadingStopped. */
export function readAnswer(text: string, answer: PageAnswer): ReadResult {
  const cursor: Cursor = JSON.parse(text)
  const [detail, ...details] = cursor.details
  if (detail) return (detail.from === 'api' ? readDetail : readListingPage)({ ...cursor, details }, detail, answer)
  if (cursor.next.kind === 'recount') return readRecount(cursor, answer)
  const [list] = cursor.lists
  if (!list) return answerOf(cursor)
  if (cursor.next.kind !== 'closet') return readPostList(cursor, list, answer)
  return list === 'sold_out' ? readSoldCloset(cursor, answer) : readCloset(cursor, answer)
}

function readCloset(before: Cursor, answer: PageAnswer): ReadResult {
  refuseAnswer(site, answer)
  const version = findVersion(answer.text)
  const cursor = { ...before, version, totals: addTotal(before.totals, findCount(answer.text)) }
  const state = parseClosetState(answer.text)
  if (state) refuseOthers(cursor, state)
  // Distrust a state without a next cursor, and an empty state under a nonzero header.
  const isWhole = state && !lacksCursor(state, cursor) && (state.posts.length > 0 || cursor.totals?.most === 0)
  if (isWhole) return readPage(cursor, state, 'state')
  const tiles = parseTiles(answer.text)
  if (!state && tiles.length === 0 && isChallenge(answer.text)) throw challenge(site)
  return answerOf({ ...cursor, tiles, next: { kind: 'posts', maxId: null } })
}

function readPostList(cursor: Cursor, list: ListName, answer: PageAnswer): ReadResult {
  const parsed = readJson(answer, parsePostPage)
  const atStart = cursor.next.kind === 'posts' && cursor.next.maxId === null
  if (parsed && 'data' in parsed) {
    const isEmpty = atStart && parsed.data.posts.length === 0
    // The header does not count sold listings, so their page has to confirm an empty list.
    if (isEmpty && list === 'sold_out') return answerOf({ ...cursor, empty: true, next: { kind: 'closet' } })
    if (!isEmpty || cursor.tiles.length === 0) return readPage(cursor, parsed.data, 'api')
  }
  if (list === 'sold_out') {
    // A rejected sold list must not discard the active one. The sold page shows at least the newest.
    return answerOf(atStart ? { ...cursor, next: { kind: 'closet' } } : endList(cursor), [], [pageFailure(cursor)])
  }
  if (parsed && 'error' in parsed && !cursor.tiles.length) {
    throw new ReadingStopped('unreachable', `Poshmark says: ${parsed.error.message}`)
  }
  // Without state and API, read the listings of the page's elements one by one and report the change.
  if (cursor.glance) return answerOf(endList(cursor), [], [pageFailure(cursor)])
  return answerOf(withTiles(endList(cursor, cursor.tiles.length), cursor.tiles), [], [pageFailure(cursor)])
}

/** Parses the sold page, requested only if the API was unreadable or empty. No page follows. */
function readSoldCloset(cursor: Cursor, answer: PageAnswer): ReadResult {
  refuseAnswer(site, answer)
  const state = parseClosetState(answer.text)
  if (state) refuseOthers(cursor, state)
  if (cursor.empty) {
    // Only posts that are marked as sold contradict the API.
    const posts = (state?.posts ?? []).filter((post) => at(post, 'inventory.status') === 'sold_out')
    if (posts.length === 0) return answerOf(endList(cursor))
    const read = readPage(cursor, { posts, ...lastPage }, 'state')
    return { ...read, failures: [...read.failures, pageFailure(cursor, 'the list is empty and its page is not')] }
  }
  if (state) return readPage(cursor, { posts: state.posts, ...lastPage }, 'state')
  const tiles = parseTiles(answer.text)
  if (tiles.length === 0 && isChallenge(answer.text)) throw challenge(site)
  return answerOf(withTiles(endList(cursor, tiles.length), tiles))
}

/** No page follows a page of the sold closet. */
const lastPage = { nextMaxId: null, stuck: false, total: null }

/** Compares again with the closet's header, because listings may have sold or been created meanwhile. */
function readRecount(cursor: Cursor, answer: PageAnswer): ReadResult {
  refuseAnswer(site, answer)
  const totals = addTotal(cursor.totals, findCount(answer.text))
  const after: Cursor = { ...cursor, totals, next: { kind: 'end' } }
  return answerOf(after, [], isShort(after) ? [missing(after)] : [])
}

/**
 * Returns true if fewer listings were found than the header states. Headers count active listings, and some also count
 * sold ones.
 */
function isShort({ totals, found, glance }: Cursor): boolean {
  if (!totals || glance) return false
  const all = found.available + found.sold_out
  return found.available < totals.least && !(all >= totals.least && all <= totals.most)
}

function missing({ found, totals, username }: Cursor): ListingFailure {
  const counts = { found: found.available, total: totals?.least ?? 0 }
  return { ...shortfall({ platform: 'Poshmark', what: 'page' }, counts), url: closetUrl(username) }
}

function refuseOthers(cursor: Cursor, state: ClosetPage): void {
  if (!sameUser(state.owner, cursor.username)) throw new ReadingStopped('not_yours', 'The page shows another closet.')
}

/**
 * Moves on to the next list. Sold posts start at the API, because their page repeats the first list's data. After the
 * last list, a contradicting header is read again. `seen`: entries not counted yet.
 */
function endList(cursor: Cursor, seen = 0): Cursor {
  const [list, ...rest] = cursor.lists
  const found = list ? { ...cursor.found, [list]: cursor.found[list] + seen } : cursor.found
  const after: Cursor = { ...cursor, lists: rest, page: 1, tiles: [], used: [], found, empty: false }
  const next: Cursor['next'] =
    rest.length > 0 ? { kind: 'posts', maxId: null } : { kind: isShort(after) ? 'recount' : 'end' }
  return { ...after, next }
}

function withTiles(cursor: Cursor, tiles: Cursor['tiles']): Cursor {
  return { ...cursor, details: tiles.map((tile) => detailOf(tile, null, 'api')) }
}

function readPage(cursor: Cursor, page: PostPage, from: 'state' | 'api'): ReadResult {
  const own = page.posts.filter((post) => !isOthers(post, cursor))
  const leftOut = page.posts.length - own.length
  const read = own.map((post, index) => readPost(post, cursor, index, from))
  const endless = page.nextMaxId !== null && cursor.used.includes(page.nextMaxId)
  const after: Cursor =
    page.nextMaxId === null || endless
      ? endList(cursor, own.length)
      : {
          ...counted(cursor, own.length),
          page: cursor.page + 1,
          next: { kind: 'posts', maxId: page.nextMaxId },
          tiles: [],
          used: [...cursor.used, page.nextMaxId],
        }
  const details = read.flatMap((one) => one.detail ?? [])
  const failures = read.flatMap((one) => one.failure ?? [])
  const why = lacksCursor(page, cursor)
    ? 'it has no next cursor'
    : endless
      ? 'a page repeats'
      : page.posts.length === 0 && page.nextMaxId !== null
        ? 'it is empty but claims more pages'
        : leftOut > 1 && own.length === 0
          ? 'it shows listings of other sellers only'
          : null
  return {
    ...resultOf(
      { ...after, details: cursor.glance ? [] : details },
      read.flatMap((one) => one.read ?? []),
      why === null ? failures : [...failures, pageFailure(cursor, why)],
    ),
    ...(leftOut > 0 ? { left_out: leftOut } : {}),
    ...(cursor.glance
      ? { seen: details.map(({ id, title }) => ({ listing_id: id, url: listingUrl(id, title), title })) }
      : {}),
  }
}

/** Returns true if the page is not the last one, but names no next one. */
function lacksCursor({ stuck, total, posts }: PostPage, { lists: [list], found }: Cursor): boolean {
  return stuck || (total !== null && list !== undefined && found[list] + posts.length < total)
}

function counted(cursor: Cursor, seen: number): Cursor {
  const [list] = cursor.lists
  return list ? { ...cursor, found: { ...cursor.found, [list]: cursor.found[list] + seen } } : cursor
}

/** Returns true for a post of another seller. */
function isOthers(post: unknown, { username }: Pick<Cursor, 'username'>): boolean {
  const creator = at(post, 'creator_username')
  return typeof creator === 'string' && creator !== '' && !sameUser(creator, username)
}

function readDetail(cursor: Cursor, detail: Detail, answer: PageAnswer): ReadResult {
  if (answer.status === 404) return goneOf(cursor, detail)
  const parsed = readJson(answer, parsePostDetail)
  if (parsed && 'error' in parsed) {
    if (parsed.error.status === 404) return goneOf(cursor, detail)
    const message = `Poshmark says: ${parsed.error.message}`.slice(0, 2_000)
    return answerOf(cursor, [], [failureOf(detail, 'fetch_failed', message)])
  }
  const post = parsed?.data.id === detail.id ? parsed.data : null
  if (isOthers(post, cursor)) return { ...resultOf(cursor), left_out: 1 }
  const read = readIfUnchanged(() => normaliseListing(knownOf({ ...detail, post }, null)))
  if (!(read instanceof PageChanged)) return answerOf(cursor, [read])
  // Fall back to the listing's page.
  return answerOf({ ...cursor, details: [{ ...detail, post, from: 'page' }, ...cursor.details] })
}

function readListingPage(cursor: Cursor, detail: Detail, answer: PageAnswer): ReadResult {
  if (answer.status === 404 && !detail.post && !detail.entry) return goneOf(cursor, detail)
  refuseAnswer(site, answer)
  if (isOthers(parseListingState(answer.text, detail.id), cursor)) return { ...resultOf(cursor), left_out: 1 }
  const read = readIfUnchanged(() => normaliseListing(knownOf(detail, answer)))
  if (!(read instanceof PageChanged)) return answerOf(cursor, [read])
  if (isChallenge(answer.text)) throw challenge(site)
  return answerOf(cursor, [], [failureOf(detail, 'page_changed', read.message, read.field)])
}

/** Combines the data about a listing. Throws PageChanged if there is none. */
function knownOf({ id, entry, entryFrom, post }: Detail, answer: PageAnswer | null): Known {
  const page = answer && { post: parseListingState(answer.text, id), shown: shownOf(id, answer) }
  if (!post && !entry && !page?.post && !page?.shown) {
    throw new PageChanged('poshmark', 'listing', listingUrl(id, ''), 'the answer')
  }
  return { id, post, entry, entryFrom, page: () => page ?? { post: null, shown: null }, last: page !== null }
}

/** Returns the page's JSON-LD of the listing. Redirects and suggestions may describe other listings. */
function shownOf(id: string, { url, text }: PageAnswer): PageProduct | null {
  if (listingAt(url)?.id !== id) return null
  return parseJsonLd(text, (address) => (listingAt(address)?.id ?? id) !== id)
}

function detailOf(
  { id, title }: { id: string; title: string },
  entry: RawPost | null,
  entryFrom: 'state' | 'api',
): Detail {
  return { id, title, entry, entryFrom, post: null, from: 'api' }
}

function goneOf(cursor: Cursor, detail: Detail): ReadResult {
  const failure = failureOf(detail, 'fetch_failed', 'Poshmark no longer shows this listing.')
  return { ...resultOf(cursor, [], [failure]), gone: [detail.id] }
}

/** Reads a post, schedules a detail read, or returns a failure for a post without an id. */
function readPost(post: unknown, cursor: Cursor, index: number, from: 'state' | 'api') {
  const raw = rawPost(post)
  if (!raw) {
    return {
      failure: failureOf(
        { id: `${pageName(cursor)}-position-${index + 1}`, title: '' },
        'page_changed',
        `page changed: listing_id (listing ${index + 1} of page ${cursor.page} has no id)`,
        'listing_id',
      ),
    }
  }
  const { id, title } = raw
  const detail = detailOf({ id, title: typeof title === 'string' ? title.slice(0, 200) : '' }, raw, from)
  const read = readIfUnchanged(() => normaliseListing(knownOf(detail, null)))
  return read instanceof PageChanged ? { detail } : { read }
}

function readJson<T>(answer: PageAnswer, parse: (text: string) => Parsed<T>): Parsed<T> {
  refuseAnswer(site, answer)
  const parsed = parse(answer.text)
  if (parsed === null && isChallenge(answer.text)) throw challenge(site)
  if (parsed && 'error' in parsed) refuseStatus(site, parsed.error.status)
  return parsed
}

function pageFailure(cursor: Cursor, why = 'it was not understood'): ListingFailure {
  return failureOf(
    { id: pageName(cursor), title: '' },
    'page_changed',
    `page changed: listings (page ${cursor.page} of ${isSold(cursor) ? 'the sold listings' : 'the closet'}: ${why})`,
    'listings',
  )
}

function pageName(cursor: Cursor): string {
  return `${isSold(cursor) ? 'sold-' : ''}page-${cursor.page}`
}

function isSold(cursor: Cursor): boolean {
  return cursor.lists[0] === 'sold_out'
}

function failureOf(
  post: { id: string; title: string },
  error_code: ListingFailure['error_code'],
  error_message: string,
  field?: string,
): ListingFailure {
  const known = /^[0-9a-f]{24}$/.test(post.id)
  return {
    listing_id: post.id,
    error_code,
    error_message,
    ...(known ? { url: listingUrl(post.id, '') } : {}),
    ...(post.title ? { title: post.title } : {}),
    ...(field ? { field } : {}),
  }
}

/** Builds the result with the header's latest count. */
function answerOf(cursor: Cursor, read: ReadListing[] = [], failures: ListingFailure[] = []): ReadResult {
  return { ...resultOf(cursor, read, failures), ...(cursor.totals ? { total: cursor.totals.least } : {}) }
}

function sameUser(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
