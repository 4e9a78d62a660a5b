import type { Listing, ListingFailure } from '#shared/listing.ts'
import { type PageProduct, parseJsonLd } from '../json-ld.ts'
import {
  type FieldSources,
  type ListingRef,
  type PageAnswer,
  PageChanged,
  type PageRequest,
  ReadingStopped,
  type Shop,
  type Taken,
} from '../port.ts'
import { type Known, normaliseListing } from './normalise.ts'
import {
  closetPage,
  type ListName,
  listingAt,
  listingPage,
  listingUrl,
  lists,
  origin,
  postDetail,
  postsPage,
} from './pages.ts'
import {
  type ClosetPage,
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
 * Where reading a closet stands: first the page with its state, then the API page by page, what is for sale before what
 * is sold; before each further page the listings whose summary was not enough, one by one.
 */
interface Cursor {
  username: string
  version: string | null
  /** Lists still to be read; the first is being read. */
  lists: ListName[]
  /** Number of the next page, for naming a page that was not understood. */
  page: number
  next: { kind: 'closet' } | { kind: 'posts'; maxId: string | number | null } | { kind: 'end' }
  details: Detail[]
  /** Listings seen as elements of the page: read one by one should the API not be understood either. */
  tiles: { id: string; title: string }[]
  /** Cursors used: a page that points back to one of them would never end. */
  used: (string | number)[]
  /** A check: no listing is read by itself. */
  glance: boolean
}

/** `entry`: as the closet lists it, `post`: its own JSON, `from`: where it is asked for next. */
interface Detail {
  id: string
  title: string
  entry: RawPost | null
  entryFrom: 'state' | 'api'
  post: RawPost | null
  from: 'api' | 'page'
}

export function begin(shop: Shop): string {
  return JSON.stringify(startOf(shop))
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
  }
}

export function nextRequest(text: string): PageRequest | null {
  const cursor = parseCursor(text)
  const detail = cursor.details[0]
  if (detail) return (detail.from === 'api' ? postDetail : listingPage)(detail.id)
  const { username, version, next } = cursor
  const [list] = cursor.lists
  if (!list || next.kind === 'end') return null
  return next.kind === 'closet' ? closetPage(username, list) : postsPage(username, list, next.maxId, version)
}

/** Throws ReadingStopped; a page or listing that is not understood becomes a failure. */
export function take(text: string, answer: PageAnswer): Taken {
  const cursor = parseCursor(text)
  const [detail, ...details] = cursor.details
  if (detail) return (detail.from === 'api' ? takeDetail : takeListingPage)({ ...cursor, details }, detail, answer)
  const [list] = cursor.lists
  if (!list) return taken(cursor)
  if (cursor.next.kind !== 'closet') return takePosts(cursor, list, answer)
  return list === 'sold_out' ? takeSoldCloset(cursor, answer) : takeCloset(cursor, answer)
}

function takeCloset(cursor: Cursor, answer: PageAnswer): Taken {
  refuseUnreadable(answer)
  const version = findVersion(answer.text)
  const state = parseClosetState(answer.text)
  if (state) {
    refuseOthers(cursor, state)
    return takePage({ ...cursor, version }, state, 'state')
  }
  const tiles = parseTiles(answer.text)
  if (tiles.length === 0 && isChallenge(answer.text)) throw challenge()
  return taken({ ...cursor, version, tiles, next: { kind: 'posts', maxId: null } })
}

function takePosts(cursor: Cursor, list: ListName, answer: PageAnswer): Taken {
  const parsed = readJson(answer, parsePostPage)
  if (parsed && 'data' in parsed) return takePage(cursor, parsed.data, 'api')
  const atStart = cursor.next.kind === 'posts' && cursor.next.maxId === null
  if (list === 'sold_out') {
    // What is for sale was read: a list that is refused must not hold it back. Its page shows the newest, at least.
    return taken(atStart ? { ...cursor, next: { kind: 'closet' } } : endList(cursor), [], [pageFailure(cursor)])
  }
  if (parsed && !cursor.tiles.length) throw new ReadingStopped('unreachable', `Poshmark says: ${parsed.error.message}`)
  // Neither state nor API: what the page's elements named is read one by one, and the page is told as changed.
  if (cursor.glance) return taken(endList(cursor), [], [pageFailure(cursor)])
  return taken(withTiles(endList(cursor), cursor.tiles), [], [pageFailure(cursor)])
}

/** The page of what is sold: asked for only where the API was not understood, so that nothing comes after it. */
function takeSoldCloset(cursor: Cursor, answer: PageAnswer): Taken {
  refuseUnreadable(answer)
  const state = parseClosetState(answer.text)
  if (state) {
    refuseOthers(cursor, state)
    return takePage(cursor, { posts: state.posts, nextMaxId: null }, 'state')
  }
  const tiles = parseTiles(answer.text)
  if (tiles.length === 0 && isChallenge(answer.text)) throw challenge()
  return taken(withTiles(endList(cursor), tiles))
}

function refuseOthers(cursor: Cursor, state: ClosetPage): void {
  if (!sameUser(state.owner, cursor.username)) throw new ReadingStopped('not_yours', 'The page shows another closet.')
}

/** What is sold is asked of the API at once: its page has nothing that the first list's had not. */
function endList(cursor: Cursor): Cursor {
  const rest = cursor.lists.slice(1)
  const next: Cursor['next'] = rest.length > 0 ? { kind: 'posts', maxId: null } : { kind: 'end' }
  return { ...cursor, lists: rest, page: 1, next, tiles: [], used: [] }
}

function withTiles(cursor: Cursor, tiles: Cursor['tiles']): Cursor {
  return { ...cursor, details: tiles.map((tile) => detailOf(tile, null, 'api')) }
}

function takePage(cursor: Cursor, page: PostPage, from: 'state' | 'api'): Taken {
  const read = page.posts.map((post, index) => readPost(post, cursor, index, from))
  const endless = page.nextMaxId !== null && cursor.used.includes(page.nextMaxId)
  const after: Cursor =
    page.nextMaxId === null || endless
      ? endList(cursor)
      : {
          ...cursor,
          page: cursor.page + 1,
          next: { kind: 'posts', maxId: page.nextMaxId },
          tiles: [],
          used: [...cursor.used, page.nextMaxId],
        }
  const details = read.map((one) => one.detail).filter((one) => one !== undefined)
  const failures = read.map((one) => one.failure).filter((one) => one !== undefined)
  return {
    ...taken(
      { ...after, details: cursor.glance ? [] : details },
      read.map((one) => one.read).filter((one) => one !== undefined),
      endless ? [...failures, pageFailure(cursor)] : failures,
    ),
    ...(cursor.glance
      ? { seen: details.map(({ id, title }) => ({ listing_id: id, url: listingUrl(id, title), title })) }
      : {}),
  }
}

function takeDetail(cursor: Cursor, detail: Detail, answer: PageAnswer): Taken {
  if (answer.status === 404) return goneOf(cursor, detail)
  const parsed = readJson(answer, parsePostDetail)
  if (parsed && 'error' in parsed) {
    if (parsed.error.status === 404) return goneOf(cursor, detail)
    const message = `Poshmark says: ${parsed.error.message}`.slice(0, 2_000)
    return taken(cursor, [], [failureOf(detail, 'fetch_failed', message)])
  }
  const post = parsed?.data.id === detail.id ? parsed.data : null
  try {
    return taken(cursor, [normaliseListing(knownOf({ ...detail, post }, null))])
  } catch (error) {
    if (!(error instanceof PageChanged)) throw error
    // The page itself is what is left.
    return taken({ ...cursor, details: [{ ...detail, post, from: 'page' }, ...cursor.details] })
  }
}

function takeListingPage(cursor: Cursor, detail: Detail, answer: PageAnswer): Taken {
  if (answer.status === 404 && !detail.post && !detail.entry) return goneOf(cursor, detail)
  refuseUnreadable(answer)
  try {
    return taken(cursor, [normaliseListing(knownOf(detail, answer))])
  } catch (error) {
    if (!(error instanceof PageChanged)) throw error
    if (isChallenge(answer.text)) throw challenge()
    return taken(cursor, [], [failureOf(detail, 'page_changed', error.message, error.field)])
  }
}

/** Throws PageChanged when nothing at all was understood of the listing. */
function knownOf({ id, entry, entryFrom, post }: Detail, answer: PageAnswer | null): Known {
  const page = answer && { post: parseListingState(answer.text, id), shown: shownOf(id, answer) }
  if (!post && !entry && !page?.post && !page?.shown) {
    throw new PageChanged('poshmark', 'listing', listingUrl(id, ''), 'the answer')
  }
  return { id, post, entry, entryFrom, page: () => page ?? { post: null, shown: null }, last: page !== null }
}

/** What the page tells search engines of the listing: an address may have led elsewhere, and a page shows others as well. */
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

function goneOf(cursor: Cursor, detail: Detail): Taken {
  const failure = failureOf(detail, 'fetch_failed', 'Poshmark no longer shows this listing.')
  return { ...taken(cursor, [], [failure]), gone: [detail.id] }
}

/** A post of a page: read, or to be read again by itself, or a failure when it does not even say which it is. */
function readPost(post: unknown, cursor: Cursor, index: number, from: 'state' | 'api') {
  const raw = rawPost(post)
  if (!raw) {
    return {
      failure: failureOf(
        { id: `${pageName(cursor)}-position-${index + 1}`, title: '' },
        'page_changed',
        `page changed: listing_id (listing ${index + 1} of page ${cursor.page} does not say its id)`,
        'listing_id',
      ),
    }
  }
  const { id, title } = raw
  const detail = detailOf({ id, title: typeof title === 'string' ? title.slice(0, 200) : '' }, raw, from)
  try {
    return { read: normaliseListing(knownOf(detail, null)) }
  } catch (error) {
    if (!(error instanceof PageChanged)) throw error
    return { detail }
  }
}

function readJson<T>(answer: PageAnswer, parse: (text: string) => Parsed<T>): Parsed<T> {
  refuseUnreadable(answer)
  const parsed = parse(answer.text)
  if (parsed === null && isChallenge(answer.text)) throw challenge()
  if (parsed && 'error' in parsed) refuseStatus(parsed.error.status)
  return parsed
}

/** What is no answer to what was asked: no network, a log-out, "slow down", a server in trouble. */
function refuseUnreadable(answer: PageAnswer): void {
  if (answer.status === 403 && isChallenge(answer.text)) throw challenge()
  if (answer.status === 0 || answer.status >= 500) {
    throw new ReadingStopped('unreachable', 'Poshmark did not answer.')
  }
  refuseStatus(answer.status)
  const path = answer.url.startsWith(`${origin}/`) ? answer.url.slice(origin.length) : null
  if (path === null || /^\/login\b/.test(path)) {
    throw new ReadingStopped('logged_out', 'Poshmark asks you to sign in.')
  }
}

function refuseStatus(status: number): void {
  if (status === 401 || status === 403) throw new ReadingStopped('logged_out', 'Poshmark asks you to sign in.')
  if (status === 429) throw new ReadingStopped('rate_limited', 'Poshmark asks to go slower.')
}

/** Pages that want proof of a person, by what their scripts are called; asked only where nothing else was understood. */
function isChallenge(text: string): boolean {
  return /px-captcha|cf-chl|challenge-platform|g-recaptcha|h-captcha|captcha-delivery/i.test(text)
}

function challenge(): ReadingStopped {
  return new ReadingStopped('challenge', 'Poshmark wants to see that you are a person.')
}

function pageFailure(cursor: Cursor): ListingFailure {
  return failureOf(
    { id: pageName(cursor), title: '' },
    'page_changed',
    `page changed: listings (page ${cursor.page} of ${isSold(cursor) ? 'what is sold' : 'the closet'} was not understood)`,
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

function taken(
  cursor: Cursor,
  read: { listing: Listing; sources: FieldSources }[] = [],
  failures: ListingFailure[] = [],
): Taken {
  return {
    cursor: JSON.stringify(cursor),
    listings: read.map((one) => one.listing),
    failures,
    sources: Object.fromEntries(read.map((one) => [one.listing.listing_id, one.sources])),
  }
}

function parseCursor(text: string): Cursor {
  // Our own text; what an earlier version left out is as that version had it.
  return { lists: ['available'], glance: false, ...JSON.parse(text) }
}

function sameUser(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
