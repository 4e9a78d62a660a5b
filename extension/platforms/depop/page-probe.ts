import { followRequests } from '../page-requests.ts'
import type { PageAnswer, PageProbe, PageRequest } from '../port.ts'
import { parseJson } from '../raw.ts'
import { type Account, api, origin, readAccount, shopNameAt, whoAmI } from './pages.ts'

/**
 * Reads www.depop.com for the worker. The site's scripts send the `access_token` cookie as a bearer token to
 * webapi.depop.com. If scripts can read that cookie, this script sends it in the header to that host only. If it is
 * HttpOnly, the browser adds it. If the host takes no cookies, shops and products are public anyway, and the `user_id`
 * cookie and the page's own shop requests identify the seller. Reading HttpOnly cookies would need the permission
 * `cookies`, which exposes too much.
 */
export const depopProbe: PageProbe = {
  platform: 'Depop',
  cookies: [],
  texts: {},
  async more(): Promise<Record<string, string>> {
    const account = await findAccount()
    return account ? { account: JSON.stringify(account) } : {}
  },
  async fetch(request, signal) {
    const target = URL.parse(request.url)?.origin
    if (location.origin !== origin || (target !== origin && target !== api)) return null
    if (target === api) return fetchApi(request, signal)
    return readOpenPage(request) ?? fetchPage(request, signal)
  },
}

/** Retry delays in ms. About 3 of 19 reads fail without an answer on a healthy page. */
const retriesMs = [1_000, 2_500]

/** The page's own requests for shops, by shop id. */
const shopRequests = followRequests(shopOf)

async function fetchApi(request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
  shopRequests.except(request.url)
  const token = readCookie('access_token')
  if (token !== null) {
    return withRetry(signal, () =>
      fetchJson(request.url, { headers: { authorization: `Bearer ${token}` }, credentials: 'omit', signal }),
    )
  }
  try {
    return await fetchJson(request.url, { credentials: 'include', signal })
  } catch (error) {
    if (signal.aborted) throw error
    // Hosts without CORS credentials reject the request; without cookies the data is public.
    return withRetry(signal, () => fetchJson(request.url, { credentials: 'omit', signal }))
  }
}

async function fetchJson(url: string, init: RequestInit): Promise<PageAnswer> {
  const response = await fetch(url, { ...init, headers: { accept: 'application/json', ...init.headers } })
  return { url: response.url, status: response.status, text: await response.text() }
}

/** Retries a read on network errors, because reads are idempotent. */
async function withRetry(signal: AbortSignal, read: () => Promise<PageAnswer>): Promise<PageAnswer> {
  for (const waitMs of retriesMs) {
    try {
      return await read()
    } catch (error) {
      if (signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
  return read()
}

async function fetchPage(request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
  const response = await fetch(request.url, { headers: { accept: 'text/html' }, credentials: 'same-origin', signal })
  return { url: response.url, status: response.status, text: withoutTokens(await response.text()) }
}

/** Returns the open page for a shop URL. The site's scripts render it, so a fetched page is empty. */
function readOpenPage(request: PageRequest): PageAnswer | null {
  if (new URL(request.url).pathname !== location.pathname || !shopNameAt(location.href)) return null
  return { url: location.href, status: 200, text: withoutTokens(document.documentElement.outerHTML) }
}

/** Removes token values from a page's embedded state. */
function withoutTokens(html: string): string {
  return html.replace(/(\\?"(?:access|refresh|id|csrf|auth)_?token\\?"\s*:\s*\\?")[^"\\]*/gi, '$1')
}

/** Result of a sign-in check. `key`: the cookies it was for. `sure`: the API answered. */
interface AccountCheck {
  key: string
  account: Account | null
  at: number
  sure: boolean
}

let lastCheck: AccountCheck | null = null
const sureMs = 5 * 60_000
const unsureMs = 10_000

async function findAccount(): Promise<Account | null> {
  const token = readCookie('access_token')
  const userId = readCookie('user_id')
  // Neither a cookie nor a seller page suggests a signed-in user, so skip the request.
  if (token === null && userId === null && !isSellersPage()) return null
  const key = `${token} ${userId}`
  if (!lastCheck || !isFresh(lastCheck, key)) lastCheck = await checkAccount(key)
  if (lastCheck.account) return lastCheck.account
  return token === null && userId !== null ? findByPage(userId) : null
}

function isFresh(check: AccountCheck, key: string): boolean {
  return check.key === key && performance.now() - check.at < (check.sure ? sureMs : unsureMs)
}

/** Requests the account. A network error keeps the last one, because it does not sign the user out. */
async function checkAccount(key: string): Promise<AccountCheck> {
  const answer = await fetchAccount()
  const known = answer === null && lastCheck?.key === key ? lastCheck.account : null
  const account = answer?.status === 200 ? readAccount(parseJson(answer.text)) : null
  const sure = answer !== null && (account !== null || answer.status === 401)
  return { key, account: account ?? known, at: performance.now(), sure }
}

async function fetchAccount(): Promise<PageAnswer | null> {
  try {
    return await fetchApi(whoAmI, AbortSignal.timeout(15_000))
  } catch {
    // Unknown; retried at the next check.
    return null
  }
}

/** The current page: its path, when it was opened, and whether its shop request was awaited. */
let current = { path: location.pathname, since: 0, waited: false }

/** Maximum wait for the page's own shop request, in ms. */
const maxRequestDelayMs = 5_000

/** Returns the account on a shop page if the page's last shop request was for that account. */
async function findByPage(userId: string): Promise<Account | null> {
  if (current.path !== location.pathname) {
    current = { path: location.pathname, since: performance.now(), waited: false }
  }
  const username = shopNameAt(location.href)
  if (!username) return null
  if (lastShop() === null && !current.waited) {
    current.waited = true
    await shopRequests.waitForOne(maxRequestDelayMs)
  }
  return lastShop() === userId ? { id: userId, username } : null
}

/** Returns the shop id that the page requested last since its URL changed. */
function lastShop(): string | null {
  const shops = shopRequests.list().filter(({ at }) => at >= current.since)
  return shops.at(-1)?.value ?? null
}

function shopOf(url: string): string | null {
  const path = url.startsWith(`${api}/`) ? url.slice(api.length) : ''
  return /^\/presentation\/api\/v1\/shops\/(\d{1,20})\//.exec(path)?.[1] ?? null
}

function isSellersPage(): boolean {
  return shopNameAt(location.href) !== null || /\/(sellinghub|products\/create)\//.test(location.pathname)
}

function readCookie(name: string): string | null {
  const value = document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  if (!value) return null
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (error instanceof URIError) return value
    throw error
  }
}
