import { followRequests } from '../page-requests.ts'
import type { PageAnswer, PageProbe, PageRequest } from '../port.ts'
import { at, isObject, parseJson } from '../raw.ts'
import { hashIn, listQuery, origin } from './pages.ts'

/**
 * Reads www.mercari.com for the worker. The site's API needs the access token and the CSRF token from `/v1/initialize`,
 * which the page gets with its HttpOnly cookies. Both stay in this script's memory and enter no answer.
 */
export const mercariProbe: PageProbe = {
  platform: 'Mercari',
  cookies: [],
  texts: {},
  async more(): Promise<Record<string, string>> {
    const account = findAccount() ?? (await findAccountLater())
    return account ? { account } : {}
  },
  async fetch(request, signal) {
    if (location.origin !== origin || URL.parse(request.url)?.origin !== origin) return null
    if (request.accept === 'json') return fetchApi(request, signal)
    return readOpenPage(request) ?? fetchPage(request, signal)
  },
}

interface Tokens {
  access: string
  csrf: string | null
  /** In ms since page load. */
  at: number
}

const tokensLastMs = 5 * 60_000
let tokens: Tokens | null = null

/** The page's own requests for a seller's lists. */
const listRequests = followRequests(readListRequest)

async function fetchApi(request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
  const url = withNewestHash(request.url)
  listRequests.except(url)
  for (let attempt = 1; ; attempt++) {
    const ready = await getTokens(signal)
    if ('status' in ready) return ready
    const response = await fetch(url, {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${ready.access}`,
        ...(ready.csrf ? { 'x-csrf-token': ready.csrf } : {}),
        'apollo-require-preflight': 'true',
        'x-platform': 'web',
        'x-app-version': '1',
        'x-double-web': '1',
      },
      credentials: 'same-origin',
      signal,
    })
    // Replace an expired token once; a second 401 is final.
    if (response.status !== 401 || attempt > 1) {
      return { url: response.url, status: response.status, text: await response.text() }
    }
    tokens = null
  }
}

/** Returns the page's tokens, or the site's answer in their place, such as a challenge. */
async function getTokens(signal: AbortSignal): Promise<Tokens | PageAnswer> {
  if (tokens && performance.now() - tokens.at < tokensLastMs) return tokens
  const response = await fetch(`${origin}/v1/initialize`, {
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
    signal,
  })
  const text = await response.text()
  const body = parseJson(text)
  const access = at(body, 'accessToken')
  if (!response.ok || typeof access !== 'string') {
    // JSON may hold a token here, so pass on HTML only.
    return { url: response.url, status: response.ok ? 401 : response.status, text: isObject(body) ? '{}' : text }
  }
  const csrf = at(body, 'csrf')
  tokens = { access, csrf: typeof csrf === 'string' ? csrf : null, at: performance.now() }
  return tokens
}

async function fetchPage(request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
  const response = await fetch(request.url, { headers: { accept: 'text/html' }, credentials: 'same-origin', signal })
  return { url: response.url, status: response.status, text: withoutTokens(await response.text()) }
}

/** Returns the open page for a list URL. The site's scripts render it, so a fetched page is empty. */
function readOpenPage(request: PageRequest): PageAnswer | null {
  const wanted = new URL(request.url)
  if (!wanted.pathname.startsWith('/mypage/listings/')) return null
  if (wanted.pathname !== location.pathname || pageOf(wanted.search) !== pageOf(location.search)) return null
  return { url: location.href, status: 200, text: withoutTokens(document.documentElement.outerHTML) }
}

function pageOf(search: string): string {
  return new URLSearchParams(search).get('page') ?? '1'
}

/** Removes token values from a page's embedded state. */
function withoutTokens(html: string): string {
  return html.replace(/("(?:access|refresh|id|csrf|auth)_?token"\s*:\s*")[^"]*/gi, '$1')
}

/** Replaces the query hash, which changes with site releases, by the one in the page's own requests. */
function withNewestHash(url: string): string {
  const hash = listRequests.list().at(-1)?.value.hash
  if (!hash) return url
  const changed = new URL(url)
  changed.searchParams.set('extensions', JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash } }))
  return changed.href
}

/**
 * Returns the signed-in seller's id from the site's analytics data, or from the page's request for "my listings".
 * Returns null if neither shows it.
 */
function findAccount(): string | null {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith('ab.storage.userId.')) continue
    const kept = localStorage.getItem(key) ?? ''
    const number = /(?:^|[^a-z])g"?:"?(\d{1,20})/.exec(kept)?.[1]
    if (number) return number
  }
  if (!location.pathname.startsWith('/mypage/')) return null
  // Pages of other sellers use the same request, so all requests of the page must be for one seller.
  const sellers = new Set(listRequests.list().map(({ value }) => value.seller))
  const [seller] = sellers
  return sellers.size === 1 && seller ? seller : null
}

/** Maximum wait for the page's "my listings" request, in ms. Applies once per URL. */
const maxRequestDelayMs = 5_000
const waited = new Set<string>()

async function findAccountLater(): Promise<string | null> {
  if (!location.pathname.startsWith('/mypage/listings') || waited.has(location.href)) return null
  waited.add(location.href)
  await listRequests.waitForOne(maxRequestDelayMs)
  return findAccount()
}

function readListRequest(url: string): { seller: string; hash: string } | null {
  if (!url.startsWith(`${origin}/v1/api?`)) return null
  const query = new URL(url).searchParams
  if (query.get('operationName') !== listQuery) return null
  const seller = String(at(parseJson(query.get('variables') ?? ''), 'userItemsInput.sellerId'))
  const hash = hashIn(url)
  return /^\d{1,20}$/.test(seller) && hash ? { seller, hash } : null
}
