import { followRequests } from '../page-requests.ts'
import type { PageAnswer, PageProbe, PageRequest } from '../port.ts'
import { parseJson } from '../raw.ts'
import { type Account, api, origin, readAccount, shopNameAt, whoAmI } from './pages.ts'

/**
 * What the content script does on www.depop.com. The site's own scripts ask webapi.depop.com with the `access_token`
 * cookie as a bearer token. Where scripts can read that cookie, so does this one: it goes into the header of a request
 * to that one host and nowhere else. Where it is HttpOnly, the browser is left to add the cookie by itself; where the
 * host takes no cookies, shops and products are public anyhow, and who is signed in is told by the `user_id` cookie and
 * by which shop the page itself asks for. (Reading HttpOnly cookies would take the permission `cookies`, for all that
 * is in them: not worth it.)
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

/** Waits before a read that no answer came to is tried again: three of nineteen fail so on a healthy page. */
const retriesMs = [1_000, 2_500]

/** What the page itself asks for shops, by their numbers. */
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
    // A host that takes no cookies refuses before it answers; without them it is public.
    return withRetry(signal, () => fetchJson(request.url, { credentials: 'omit', signal }))
  }
}

async function fetchJson(url: string, init: RequestInit): Promise<PageAnswer> {
  const response = await fetch(url, { ...init, headers: { accept: 'application/json', ...init.headers } })
  return { url: response.url, status: response.status, text: await response.text() }
}

/** Reads may be repeated: no answer is no verdict. */
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

/** A shop is drawn by the page's scripts: a fetched one is empty, the open one shows it. */
function readOpenPage(request: PageRequest): PageAnswer | null {
  if (new URL(request.url).pathname !== location.pathname || !shopNameAt(location.href)) return null
  return { url: location.href, status: 200, text: withoutTokens(document.documentElement.outerHTML) }
}

/** Pages carry state for their own scripts, which may hold tokens: these are cut out. */
function withoutTokens(html: string): string {
  return html.replace(/(\\?"(?:access|refresh|id|csrf|auth)_?token\\?"\s*:\s*\\?")[^"\\]*/gi, '$1')
}

/** What was found out about who is signed in, and for which cookies. */
let told: { key: string; account: Account | null; at: number; sure: boolean } | null = null
const sureMs = 5 * 60_000
const unsureMs = 10_000

async function findAccount(): Promise<Account | null> {
  const token = readCookie('access_token')
  const userId = readCookie('user_id')
  // Nothing says that anybody is signed in, and nothing that is a seller's: not worth a question.
  if (token === null && userId === null && !isSellersPage()) return null
  const key = `${token} ${userId}`
  if (told?.key === key && performance.now() - told.at < (told.sure ? sureMs : unsureMs)) {
    return told.account ?? (token === null && userId !== null ? findByPage(userId) : null)
  }
  const answer = await ask()
  const account = answer?.status === 200 ? readAccount(parseJson(answer.text)) : null
  const sure = answer !== null && (account !== null || answer.status === 401)
  // No answer does not sign anybody out.
  told = {
    key,
    account: account ?? (answer === null && told?.key === key ? told.account : null),
    at: performance.now(),
    sure,
  }
  return told.account ?? (token === null && userId !== null ? findByPage(userId) : null)
}

async function ask(): Promise<PageAnswer | null> {
  try {
    return await fetchApi(whoAmI, AbortSignal.timeout(15_000))
  } catch {
    // No verdict; asked again at the next look.
    return null
  }
}

/** Where the page stands, since when, and whether its asking for a shop was waited for already. */
let place = { path: location.pathname, since: 0, waited: false }
const askingTakesMs = 5_000

/** On the page of a shop: that it is the own one, when the last shop that the page itself asked for is. */
async function findByPage(userId: string): Promise<Account | null> {
  if (place.path !== location.pathname) {
    place = { path: location.pathname, since: performance.now(), waited: false }
  }
  const username = shopNameAt(location.href)
  if (!username) return null
  if (lastShop() === null && !place.waited) {
    place.waited = true
    await shopRequests.waitForOne(askingTakesMs)
  }
  return lastShop() === userId ? { id: userId, username } : null
}

/** Number of the shop that the page asked for last, since it stands where it does. */
function lastShop(): string | null {
  const shops = shopRequests.list().filter(({ at }) => at >= place.since)
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
