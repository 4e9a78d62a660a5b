import { utcText } from '#server/infra/utc-text.ts'
import type { ListingTerms } from '#shared/listing.ts'

/** Returns what Hapax cannot protect about a live listing, in words; null if there is nothing to say. */
export function noteOf(terms: ListingTerms | null | undefined): string | null {
  const notes = [
    ...(terms?.format === 'auction' ? [auctionNote(terms)] : []),
    ...(terms?.on_hold
      ? [
          'On hold: the marketplace hides this listing and blocks purchases. Its email to you says what to change. Hapax still ends the listing when the item sells.',
        ]
      : []),
  ]
  return notes.length > 0 ? notes.join(' ') : null
}

function auctionNote({ bids, ends_at }: ListingTerms): string {
  const known = [bids ? `${bids} ${bids === 1 ? 'bid' : 'bids'}` : '', ends_at ? `ends ${utcText(ends_at)}` : '']
  const now = known.filter(Boolean).join(', ')
  return `Auction: not protected${now ? ` (${now})` : ''}. With a bid, it cannot be ended in its last 12 hours, so this item can sell there a second time. If it sells elsewhere, Hapax ends the auction while that is possible, and alerts you at once when it is not.`
}
