import { titleMax } from '#shared/listing-limits.ts'
import { at, parseJson, shortText } from '../raw.ts'
import type { Made, SellForm } from '../sell-form/form.ts'
import { saysTitle } from '../sell-form/steps.ts'
import { closetPage, listingUrl, postDetail } from './pages.ts'

/** Tolerated clock difference. Ids begin with their creation time in seconds. */
const skewMs = 10 * 60_000

type FindMade = SellForm['findMade']
type Seen = Parameters<FindMade>[0]
type Asks = Parameters<FindMade>[1]

/**
 * Finds the new listing in the page's requests, in its URL, or in the closet that the site opens after publishing.
 */
export async function findMade(seen: Seen, ask: Asks): Promise<Made | null> {
  const { requests, url, since, known } = seen
  const published = requests.flatMap(
    (one) => /\/vm-rest\/posts\/([0-9a-f]{24})\/status\/published\b/.exec(one)?.[1] ?? [],
  )
  const { pathname } = new URL(url)
  const shown = newerThan(idIn(pathname), since)
  const id = [shown, ...published].findLast((one) => one !== null && !known.includes(one))
  if (id) return classify(id, seen, ask)
  return /^\/(?:closet|feed)\b/.test(pathname) ? findInCloset(seen, ask) : null
}

const made = (id: string, sure: boolean): Made => ({ listing_id: id, listing_url: listingUrl(id, ''), sure })

/** Classifies a candidate. A tab may show other sellers' listings or publish another item. */
async function classify(id: string, { title }: Seen, ask: Asks): Promise<Made | null> {
  const username = parseSignedIn()
  const post = await readPost(id, ask)
  const creator = at(post, 'creator_username')
  if (username !== null && typeof creator === 'string' && creator !== username) return null
  // The edit form of a draft has the address of a listing's.
  if (at(post, 'status') === 'draft') return null
  return made(id, username !== null && creator === username && hasTitle(post, title))
}

/** Maximum number of closet posts to check. */
const maxLooks = 5

/** Finds the new post in the closet by its title, which the seller may have changed. */
async function findInCloset({ since, title, known }: Seen, ask: Asks): Promise<Made | null> {
  const username = parseSignedIn()
  const closet = username && (await ask(closetPage(username, 'available')))
  if (typeof closet !== 'object' || closet?.status !== 200) return null
  const found = closet.text.matchAll(/(?:\/listing\/(?:[^"'\\\s/]*-)?|listing_id=\\?"|"id":\s?")([0-9a-f]{24})\b/g)
  const ids = new Set([...found].map(([, id]) => id!))
  const fresh = [...ids].filter((id) => newerThan(id, since) && !known.includes(id))
  const own: { id: string; same: boolean }[] = []
  for (const id of fresh.slice(0, maxLooks)) {
    const post = await readPost(id, ask)
    if (at(post, 'creator_username') !== username || at(post, 'status') !== 'published') continue
    own.push({ id, same: hasTitle(post, title) })
  }
  const same = own.filter((one) => one.same)
  if (same.length === 1) return made(same[0]!.id, true)
  return own.length === 1 ? made(own[0]!.id, false) : null
}

async function readPost(id: string, ask: Asks): Promise<unknown> {
  const body = parseJson((await ask(postDetail(id)))?.text ?? '')
  return at(body, 'data') ?? body
}

function hasTitle(post: unknown, title: string): boolean {
  return saysTitle(shortText(at(post, 'title')), title, titleMax.poshmark)
}

/** Returns the signed-in username from the `ui` cookie. */
export function parseSignedIn(): string | null {
  const cookie = /(?:^|; )ui=([^;]*)/.exec(document.cookie)?.[1]
  try {
    return shortText(at(parseJson(decodeURIComponent(cookie ?? '')), 'dh')) ?? null
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

function newerThan(id: string | null, since: number): string | null {
  return id && Number.parseInt(id.slice(0, 8), 16) * 1_000 > since - skewMs ? id : null
}

/** Returns the id in the path of a listing or its edit form, or null. */
function idIn(path: string): string | null {
  return /^\/(?:listing|edit-listing)\/(?:[^/]*-)?([0-9a-f]{24})\/?$/.exec(path)?.[1] ?? null
}
