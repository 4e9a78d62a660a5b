import { PlatformError } from '#server/integrations/errors.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import { withPriority } from '#server/integrations/quota/context.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { isListingFailure } from '#shared/listing.ts'
import type { Trading } from '../client.ts'
import { isOfTransport } from '../errors.ts'
import { GetItemAnswer } from '../wire.ts'
import { normalizeItem, type SellingList } from './normalize.ts'

/** Concurrent GetItem calls of one page: quick, but gentle on eBay. */
const concurrency = 5

/**
 * After this many transport failures in a row, eBay counts as down. Waiting for every other call to time out would take
 * minutes.
 */
const maxFailuresInARow = 5

/** A listing as GetSellerList shows it. */
export interface Entry {
  listing_id: string
  list: SellingList | null
  /** The listing without item specifics, and whether they are not needed; null if only GetItem can tell. */
  listed: { listing: Listing; isWhole: boolean } | null
  title?: string
  url?: string
  /** Price and SKU, if the list has them. */
  offered?: Pick<ListingFailure, 'price_minor' | 'currency' | 'sku'>
}

type Result = Listing | ListingFailure

/**
 * Reads one listing by GetItem. An error of this listing alone is returned as a failure. Throws PlatformError for
 * errors of the call: the token, a rate limit, or an outage.
 */
async function readItem(trading: Trading, access: ShopAccess, entry: Entry): Promise<Result> {
  if (entry.listed?.isWhole) return entry.listed.listing
  try {
    const root = await trading({
      name: 'GetItem',
      ...access,
      fields: { DetailLevel: 'ReturnAll', ItemID: entry.listing_id, IncludeItemSpecifics: true },
    })
    const { list, listing_id: itemId } = entry
    const { Item, Timestamp: now } = GetItemAnswer.parse(root)
    const result = normalizeItem(Item, { list, itemId, sellerUrl: access.shop.url, now })
    return isListingFailure(result) ? { ...known(entry), ...result } : result
  } catch (error) {
    if (error instanceof PlatformError && concernsOneListing(error)) return failureOf(entry, error)
    throw error
  }
}

function concernsOneListing(error: PlatformError): boolean {
  return error.failure === 'not_found' || error.failure === 'refused' || error.failure === 'malformed'
}

/** Reads one listing again. A system error of eBay is a failure here, because waiting does not help. */
export async function readOneItem(trading: Trading, access: ShopAccess, entry: Entry): Promise<Result> {
  try {
    return await readItem(trading, access, entry)
  } catch (error) {
    if (isUnavailable(error) && !isOfTransport(error)) return failureOf(entry, error)
    throw error
  }
}

/**
 * Reads the listings of a page, in order. If single listings stay unavailable, they become failures, because one broken
 * listing must not block a shop's import. If most are unavailable, eBay is down: throws PlatformError `unavailable`, so
 * that the page is read again later.
 */
export async function readItems(trading: Trading, access: ShopAccess, entries: Entry[]): Promise<Result[]> {
  let isUsedUp = false
  // Once the day's calls are used up, item specifics are read later (imports/unread-details.ts).
  const read = async (entry: Entry, signal?: AbortSignal): Promise<Result> => {
    const { listed } = entry
    const within = { ...access, signal: signal ?? access.signal }
    if (!listed || listed.isWhole) return readItem(trading, within, entry)
    const withoutDetails: Listing = { ...listed.listing, details_unread: true }
    if (isUsedUp) return withoutDetails
    try {
      return await withPriority('details', () => readItem(trading, within, entry))
    } catch (error) {
      if (!(error instanceof PlatformError) || error.failure !== 'rate_limited') throw error
      isUsedUp = true
      return withoutDetails
    }
  }

  let failing = 0
  const first = await mapBounded(entries, access.signal, async (entry, signal) => {
    try {
      const result = await read(entry, signal)
      failing = 0
      return result
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (isOfTransport(error) && ++failing >= maxFailuresInARow) throw error
      return error
    }
  })
  const errors = first.filter((result) => result instanceof PlatformError)
  const healthy = entries[first.findIndex((result) => !(result instanceof PlatformError))]
  if (errors.length > entries.length / 2 && (entries.length > 2 || errors.some(isOfTransport))) throw errors[0]!

  const results: Result[] = []
  for (const [index, entry] of entries.entries()) {
    const result = first[index]!
    results.push(result instanceof PlatformError ? await readAgain(entry, result) : result)
  }
  return results

  /** Reads a listing a second time. If that fails too, reads a healthy one to tell a broken listing from an outage. */
  async function readAgain(entry: Entry, error: PlatformError): Promise<Result> {
    try {
      return await read(entry)
    } catch (again) {
      if (!isUnavailable(again)) throw again
      if (healthy) await read(healthy)
      else if (isOfTransport(again)) throw error
      return failureOf(entry, again)
    }
  }
}

function isUnavailable(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.failure === 'unavailable'
}

function known({ title, url, offered }: Entry): Omit<ListingFailure, 'listing_id' | 'error_code' | 'error_message'> {
  return { title: title?.slice(0, 1_000), url: url?.slice(0, 4_000), ...offered }
}

function failureOf(entry: Entry, error: PlatformError): ListingFailure {
  return {
    listing_id: entry.listing_id,
    ...known(entry),
    error_code: error.failure === 'malformed' ? 'page_changed' : 'fetch_failed',
    error_message: error.message,
  }
}

/** Maps items with bounded concurrency, keeping their order. The first error aborts the rest and is thrown. */
async function mapBounded<Item, Out>(
  items: Item[],
  outer: AbortSignal | undefined,
  run: (item: Item, signal: AbortSignal) => Promise<Out>,
): Promise<Out[]> {
  const stop = new AbortController()
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal
  const results = new Array<Out>(items.length)
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) {
      signal.throwIfAborted()
      results[index] = await run(item, signal)
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, worker))
    return results
  } catch (error) {
    stop.abort(error)
    throw error
  }
}
