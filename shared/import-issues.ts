import type { Listing, ListingFailure } from './listing.ts'

/**
 * A fault of a whole import is a failed item too, so that counters equal rows. No platform's ids begin with this
 * prefix.
 */
const prefix = 'shop:'

const totalId = `${prefix}total`
const partId = (part: string) => `${totalId}:${part}`
const fieldId = (field: string) => `${prefix}field:${field}`

/** Returns whether an import item's id stands for the whole import. */
export function isJobFailure(listingId: string): boolean {
  return listingId.startsWith(prefix)
}

/** The platform that changed, and the part: a site's pages or an API's responses. */
export interface Changed {
  platform: string
  what: 'page' | 'answers'
}

/** Returns the failure of an import that found fewer listings than the shop claims to have. */
export function shortfall(
  changed: Changed,
  counts: { found: number; total: number },
  part?: { name: string; words: string },
): ListingFailure {
  const listings = part ? `listings ${part.words}` : 'listings'
  return {
    listing_id: part ? partId(part.name) : totalId,
    error_code: 'page_changed',
    error_message: `${counts.found} of ${counts.total} ${listings} could be read; ${cause(changed)}`,
    field: 'listings',
  }
}

/** Returns the failure of an import with an unreadable page of unknown length. */
export function partUnread(changed: Changed): ListingFailure {
  return {
    listing_id: totalId,
    error_code: 'page_changed',
    error_message: `${someUnread} could not be read; ${cause(changed)}`,
    field: 'listings',
  }
}

/** Returns the failure of an import in which a field was missing or degraded. */
export function fieldUnread(
  changed: Changed,
  field: keyof Listing,
  counts: { unread: number; listings: number },
): ListingFailure {
  const words = field === 'images' ? 'Smaller pictures were used' : `The ${wordFor(field)} could not be read`
  return {
    listing_id: fieldId(field),
    error_code: 'page_changed',
    error_message: `${words} for ${counts.unread} of ${counts.listings} listings; ${cause(changed)}`,
    field,
  }
}

/** Returns the issues that the seller must see as sentences; faults of the whole import come first. */
export function summarizeIssues(issues: {
  /** Messages of failed items about the whole import. */
  whole: readonly string[]
  /** All failed items, those included. */
  failed: number
  conflicted: number
  /** Skipped listings of other sellers. */
  leftOut: number
}): string {
  const { whole, conflicted, leftOut } = issues
  const failed = issues.failed - whole.length
  const counts = [
    failed > 0 ? `${counted(failed)} could not be imported` : null,
    conflicted > 0 ? `${counted(conflicted)} ${conflicted === 1 ? 'needs' : 'need'} your decision` : null,
  ].filter((part) => part !== null)
  const sentences = [
    ...whole,
    ...(counts.length > 0 ? [`${counts.join(', ')}.`] : whole.length === 0 ? ['No issues.'] : []),
    ...(leftOut > 0 ? [leftOutText(leftOut)] : []),
  ]
  return sentences.join(' ')
}

/** Returns a sentence about skipped listings of other sellers; "" for none. */
export function leftOutText(count: number): string {
  if (count === 0) return ''
  return count === 1 ? '1 listing of another seller was left out.' : `${count} listings of other sellers were left out.`
}

/**
 * Reads a summary about the whole import: whether it is incomplete, how many failed items are about it, and the
 * sentences to show; null for none.
 */
export function readSummary(summary: string): { incomplete: boolean; whole: number; text: string } | null {
  const sentences = summary.split('. ').map((sentence) => sentence.replace(/\.$/, ''))
  const shown = sentences.filter((sentence) => endings.some((ending) => sentence.endsWith(ending)))
  if (shown.length === 0) return null
  const incomplete = shown.some((sentence) => /^\d+ of \d+ listings/.test(sentence) || sentence.startsWith(someUnread))
  const whole = shown.filter((sentence) => sentence.endsWith('changed')).length
  return { incomplete, whole, text: shown.map((sentence) => `${sentence}.`).join(' ') }
}

const someUnread = 'Part of the listings'
const endings = ['page changed', 'answers changed', 'left out']

function cause({ platform, what }: Changed): string {
  return `${platform}'s ${what} changed.`
}

function counted(count: number): string {
  return `${count} listing${count === 1 ? '' : 's'}`
}

function wordFor(field: string): string {
  return field === 'listed_at' ? 'date' : field
}
