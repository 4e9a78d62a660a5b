import { PlatformError } from '#server/integrations/errors.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import type { Etsy } from '../client.ts'
import { ListingsAnswer } from '../wire.ts'
import type { EtsyState } from './cursor.ts'
import { fetchPage, idOf, type Page } from './pages.ts'

/** After this many failed calls for one page, Etsy is down and the fault is not that of single listings. */
const failureLimit = 20

/**
 * Reads a page that fails as a whole from its parts: the plain list without pictures, then batches that are halved
 * until the unreadable listings are isolated. One bad listing then costs some calls and not the import. Throws
 * PlatformError when the fault is not that of single listings.
 */
export async function readIndividually(
  etsy: Etsy,
  access: ShopAccess,
  position: { state: EtsyState; offset: number },
): Promise<Page> {
  const plain = await fetchPage(etsy, access, position, { includes: false })
  const whole = new Map<string, unknown>()
  const unread = new Map<string, PlatformError>()
  let failures = 0

  async function read(ids: string[]): Promise<void> {
    try {
      const answer = await etsy(
        {
          call: 'some listings',
          path: '/listings/batch',
          query: { listing_ids: ids, includes: ['Images'] },
          accessToken: access.accessToken,
          signal: access.signal,
        },
        ListingsAnswer,
      )
      for (const raw of answer.results) whole.set(idOf(raw) ?? '', raw)
    } catch (error) {
      if (!(error instanceof PlatformError) || !mayConcernOneListing(error) || ++failures > failureLimit) throw error
      const [only, ...others] = ids
      if (only && others.length === 0) {
        unread.set(only, error)
        return
      }
      const middle = Math.ceil(ids.length / 2)
      await read(ids.slice(0, middle))
      await read(ids.slice(middle))
    }
  }

  if (plain.ids.length > 0) await read(plain.ids)
  // A listing that a batch silently omits counts as unread too.
  const left = plain.ids.filter((id) => !whole.has(id) && !unread.has(id))
  for (const id of left) unread.set(id, new PlatformError('etsy', 'not_found', 'Etsy left this listing out.'))
  return { ...plain, results: plain.results.map((raw) => whole.get(idOf(raw) ?? '') ?? raw), unread }
}

/** Returns true if single listings may be the cause: a fault of the page, or a batch with a deleted listing. */
export function mayConcernOneListing(error: PlatformError): boolean {
  return error.failure === 'not_found' || isPageFault(error)
}

/** Returns true if a part of the page may be answered: Etsy failed with HTTP 5xx, or answered more than Hapax reads. */
export function isPageFault(error: unknown): boolean {
  return error instanceof PlatformError && /^(http_5\d\d|too_large)$/.test(error.platformCode ?? '')
}
