import type { DownSite } from '../take-down/find-press.ts'
import { origin } from './pages.ts'

/**
 * Poshmark's words for ending a listing (pages of August to October 2026). A listing that is not for sale keeps its
 * address and can come back. Forms without the choice delete it.
 */
export const down: DownSite = {
  origin,
  keyIn: (path) => /^\/(?:listing|edit-listing)\/(?:[^/]*-)?([0-9a-f]{24})\/?$/.exec(path)?.[1] ?? null,
  keyOf: ({ listing_id }) => listing_id,
  idPattern: /^[0-9a-f]{24}$/,
  lists: /^\/closet\/[^/]+\/?$/,
  list: null,
  edits: /^\/edit-listing\//,
  words: {
    state: {
      open: /^(for sale|available)$/i,
      choose: /^not for sale$/i,
      save: /^(update|save|save changes)$/i,
      publish: /^list( this)? item$/i,
    },
    delete: /^delete( listing)?$/i,
    menu: /^(more|more options|options|listing options|…|\.\.\.|⋯|⋮)$/i,
    edit: /^edit( listing)?$/i,
    more: /^((load|show|see|view) more( \w+)?|next)$/i,
  },
  extra: '.dropdown__selector, [data-test="dropdown"]',
}
