import type { DownSite } from '../take-down/find-press.ts'
import { origin, ownListsUrl } from './pages.ts'

/**
 * Mercari's words for ending a listing (pages of August to November 2026). A deactivated listing can be activated again.
 * Pages without that choice delete it.
 */
export const down: DownSite = {
  origin,
  keyIn: (path) => /^\/(?:us\/item|sell\/edit|transaction\/order_status)\/(m\d+)\/?$/.exec(path)?.[1] ?? null,
  keyOf: ({ listing_id }) => listing_id,
  idPattern: /^m\d{6,20}$/,
  lists: /^\/mypage\/listings\//,
  list: ownListsUrl,
  edits: /^\/sell\/edit\//,
  words: {
    deactivate: /^deactivate( (this )?(listing|item))?$/i,
    delete: /^delete( (this )?(listing|item))?$/i,
    menu: /^(more|more options|options|item options|listing options|…|\.\.\.|⋯|⋮)$/i,
    edit: /^edit( (this )?(listing|item))?$/i,
    more: /^((load|show|see|view) more( \w+)?|next( page)?)$/i,
  },
  box: '[data-testid="ListingItemCheckbox"], main li input[type="checkbox"], main article input[type="checkbox"], main tr input[type="checkbox"]',
}
