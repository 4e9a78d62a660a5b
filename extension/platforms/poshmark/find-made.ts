import type { Made, SellForm } from '../../fill/form.ts'
import { plain } from '../../fill/words.ts'
import { at, parseJson, shortText } from '../raw.ts'
import { closetPage, listingUrl, postDetail } from './pages.ts'

/** Ids begin with the second that they were made in. */
const skewMs = 10 * 60_000

type FindMade = SellForm['findMade']

/**
 * The new listing: by what the page asked the site for, by the address of a page that is shown, or in the closet that the
 * site goes on to.
 */
export async function findMade(seen: Parameters<FindMade>[0], ask: Parameters<FindMade>[1]): Promise<Made | null> {
  const { requests, url, since } = seen
  const published = requests.map((one) => /\/vm-rest\/posts\/([0-9a-f]{24})\/status\/published\b/.exec(one)?.[1])
  const { pathname } = new URL(url)
  const id = published.findLast((one) => one !== undefined) ?? newerThan(idIn(pathname), since)
  if (id) return made(id, true)
  return /^\/(?:closet|feed)\b/.test(pathname) ? findInCloset(seen, ask) : null
}

const made = (id: string, sure: boolean): Made => ({ listing_id: id, listing_url: listingUrl(id, ''), sure })

/** So many posts of a closet are looked at to find the new one. */
const maxLooks = 5

/** Where the site goes on to the closet: the new post stands there, under its title unless the seller changed it. */
async function findInCloset({ since, title }: Parameters<FindMade>[0], ask: Parameters<FindMade>[1]) {
  const username = parseSignedIn()
  const closet = username && (await ask(closetPage(username, 'available')))
  if (typeof closet !== 'object' || closet?.status !== 200) return null
  const found = closet.text.matchAll(/(?:\/listing\/[^"'\\\s]*?-?|listing_id=\\?"|"id":\s?")([0-9a-f]{24})\b/g)
  const fresh = [...new Set([...found].map(([, id]) => id!))].filter((id) => newerThan(id, since))
  const own: { id: string; same: boolean }[] = []
  for (const id of fresh.slice(0, maxLooks)) {
    const answer = await ask(postDetail(id))
    const post = at(parseJson(answer?.text ?? ''), 'data') ?? parseJson(answer?.text ?? '')
    if (at(post, 'creator_username') !== username || at(post, 'status') !== 'published') continue
    own.push({ id, same: plain(shortText(at(post, 'title')) ?? '') === plain(title) })
  }
  const same = own.filter((one) => one.same)
  if (same.length === 1) return made(same[0]!.id, true)
  return own.length === 1 ? made(own[0]!.id, false) : null
}

/** The `ui` cookie says who is signed in. */
function parseSignedIn(): string | null {
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

/** The id in the address of a listing or of its form for changes; null for any other. */
export function idIn(path: string): string | null {
  return /^\/(?:listing|edit-listing)\/(?:[^/]*-)?([0-9a-f]{24})\/?$/.exec(path)?.[1] ?? null
}
