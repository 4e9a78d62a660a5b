import { PlatformError } from '#server/integrations/errors.ts'
import type { Relisting, ShopAccess } from '#server/integrations/port.ts'
import { isListingFailure } from '#shared/listing.ts'
import type { Trading } from '../client.ts'
import { GetItemAnswer, WireRelisting } from '../wire.ts'
import { normalizeItem } from './normalize.ts'

/**
 * Reads a listing with the ids of the one that it replaces (`RelistParentID`) and the one that replaced it
 * (`RelistedItemID`). Null for a listing that eBay does not show, or not in a form that is known here.
 */
export async function readRelisting(trading: Trading, access: ShopAccess, itemId: string): Promise<Relisting | null> {
  try {
    const root = await trading({
      name: 'GetItem',
      ...access,
      fields: { DetailLevel: 'ReturnAll', ItemID: itemId },
    })
    const { Item } = GetItemAnswer.parse(root)
    const listing = normalizeItem(Item, { list: null, itemId, sellerUrl: access.shop.url })
    const ids = WireRelisting.safeParse(Item)
    if (isListingFailure(listing) || !ids.success) return null
    const { RelistParentID, ListingDetails } = ids.data
    return { listing, relist_of: idOf(RelistParentID), relisted_as: idOf(ListingDetails?.RelistedItemID) }
  } catch (error) {
    if (error instanceof PlatformError && (error.failure === 'not_found' || error.failure === 'malformed')) return null
    throw error
  }
}

/** eBay sends 0 for none. */
const idOf = (text: string | undefined): string | null => (/^\s*[1-9]\d*\s*$/.test(text ?? '') ? text!.trim() : null)
