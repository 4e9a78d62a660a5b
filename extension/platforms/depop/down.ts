import type { DownSite } from '../take-down/find-press.ts'
import { origin } from './pages.ts'

/**
 * Depop's words for ending a listing (pages of September and October 2026). Depop can only delete a listing: "Mark as
 * sold" would record a sale. Its address holds a slug, and its management lies beside its page and in the selling hub.
 */
export const down: DownSite = {
  origin,
  keyIn(path) {
    const slug = /^\/(?:[a-z]{2}\/)?products\/(?:edit\/)?([^/]+)\/(?:manage\/|edit\/)?$/.exec(
      path.replace(/\/?$/, '/'),
    )?.[1]
    return slug && slug !== 'create' && slug !== 'edit' ? slug : null
  },
  keyOf: ({ url }) => down.keyIn(URL.parse(url)?.pathname ?? ''),
  idPattern: null,
  lists: /^\/(?:[a-z]{2}\/)?sellinghub\/selling\//,
  list: `${origin}/sellinghub/selling/active/`,
  edits: /\/products\/(?:edit\/[^/]+|[^/]+\/(?:manage|edit))\/?$/,
  words: {
    delete: /^delete( (this )?(listing|product|item))?$/i,
    menu: /^(manage( (this )?(listings?|product|item))?|more|more options|options|…|\.\.\.|⋯|⋮)$/i,
    edit: /^(manage|edit)( (this )?(listings?|product|item))?$/i,
    more: /^((load|show|see|view) more( \w+)?|next)$/i,
  },
}
