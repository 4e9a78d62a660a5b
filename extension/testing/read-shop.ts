import {
  type FieldSources,
  type PageAnswer,
  type PageRequest,
  ReadingStopped,
  type ScrapePlatform,
  type Shop,
  type StopReason,
} from '#extension/platforms/port.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'

/** The result of reading a whole shop. */
export interface ReadShop {
  /** Ids that lists showed without a detail read. */
  seen: string[]
  listings: Listing[]
  failures: ListingFailure[]
  sources: Record<string, FieldSources>
  /** Number of other sellers' listings, which are skipped. */
  left_out: number
  requests: PageRequest[]
}

/** An answer. A text counts as HTTP 200 from the requested URL. */
export type GivenAnswer = string | Partial<PageAnswer>

/** Reads a whole shop from answers, as the worker does without errors. Throws ReadingStopped. */
export function readShop(
  platform: ScrapePlatform,
  shop: Shop,
  answers: (request: PageRequest) => GivenAnswer,
  maxRequests = 200,
  begin: string = platform.begin(shop),
): ReadShop {
  const read: ReadShop = { seen: [], listings: [], failures: [], sources: {}, left_out: 0, requests: [] }
  let cursor = begin
  for (let request = platform.nextRequest(cursor); request; request = platform.nextRequest(cursor)) {
    read.requests.push(request)
    if (read.requests.length > maxRequests) throw new Error('The read does not end.')
    const answer = answers(request)
    const result = platform.readAnswer(cursor, {
      url: request.url,
      status: 200,
      text: '',
      ...(typeof answer === 'string' ? { text: answer } : answer),
    })
    cursor = result.cursor
    read.listings.push(...result.listings)
    read.failures.push(...result.failures)
    read.seen.push(...(result.seen ?? []).map(({ listing_id }) => listing_id))
    Object.assign(read.sources, result.sources)
    read.left_out += result.left_out ?? 0
  }
  return read
}

/** Returns the reason why `work` stopped, or null. */
export function stopReason(work: () => unknown): StopReason | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof ReadingStopped) return error.reason
    throw error
  }
}
