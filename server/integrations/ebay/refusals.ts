import { PlatformError, type PlatformFailure } from '../errors.ts'
import type { Fault } from '../refusal.ts'
import { warn } from '../warnings.ts'
import { untilNextDayMs } from './call-limits.ts'

/** Errors with one remedy. */
interface RefusalRow {
  /** `Trading`: codes of its answers; `REST`: ids of all other APIs. */
  api: 'Trading' | 'REST'
  codes: readonly number[]
  /** Absent: by the status, or by Trading's classification. */
  failure?: PlatformFailure
  /** A sentence that says how the seller goes on. */
  help: string
  /** Our code for errors that mean one thing, stable over eBay's many. Their `help` comes before eBay's words. */
  platformCode?: 'listing_on_hold' | 'revision_limit' | 'bid_or_offer' | 'condition_details'
  /** English words, all of them, that mean the same, where a code is not documented. */
  words?: readonly RegExp[]
  /** Waits until eBay's next day, in California. */
  isDaily?: true
}

/**
 * The errors of eBay that are known here, with what helps. Codes are the same in every language; eBay's own words come
 * in the site's language and are shown beside. `docs/services.md` shows this table.
 */
export const refusals: readonly RefusalRow[] = [
  // Access and limits.
  {
    api: 'Trading',
    codes: [930, 931, 932, 16110, 21916013, 21916984, 21917053],
    failure: 'unauthorized',
    help: 'Connect the shop again.',
  },
  { api: 'REST', codes: [1001, 1002, 1003], failure: 'unauthorized', help: 'Connect the shop again.' },
  {
    api: 'REST',
    codes: [1100, 195011],
    help: 'Connect the shop again and allow everything that eBay asks, because a permission is missing.',
  },
  {
    api: 'Trading',
    codes: [518],
    failure: 'rate_limited',
    help: 'The calls of the day are used up. Hapax goes on when eBay counts anew.',
  },
  { api: 'Trading', codes: [21919144], failure: 'rate_limited', help: 'Hapax goes on within a minute.' },
  { api: 'REST', codes: [2001], failure: 'rate_limited', help: 'Hapax goes on when eBay takes calls again.' },
  { api: 'Trading', codes: [10007], failure: 'unavailable', help: 'This usually passes within minutes.' },
  {
    api: 'REST',
    codes: [2003, 20500, 20501, 30500, 33000, 34900, 35001, 35002, 45500, 62000, 140000, 195000],
    failure: 'unavailable',
    help: 'This usually passes within minutes.',
  },
  {
    api: 'Trading',
    codes: [841],
    help: 'Sign in to eBay, read what it asks of the account, and settle it there.',
  },
  { api: 'REST', codes: [32400], help: 'Sign in to eBay, read what it asks of the account, and settle it there.' },

  // Listings that are gone or cannot be changed now.
  {
    api: 'Trading',
    codes: [17],
    failure: 'not_found',
    help: 'The listing was deleted, or belongs to another account.',
  },
  { api: 'Trading', codes: [291, 1047], help: 'The listing has ended. List the item again if you still have it.' },
  {
    api: 'Trading',
    codes: [],
    words: [/\bon[- ]hold\b/i],
    failure: 'refused',
    platformCode: 'listing_on_hold',
    help: 'eBay has put this listing on hold: it is hidden and cannot be bought. The email from eBay says what to change there.',
  },
  {
    api: 'Trading',
    codes: [21919165],
    words: [/\brevisions?\b/i, /\b(limit|maximum|exceeded|too many|per day)\b/i],
    failure: 'not_yet',
    platformCode: 'revision_limit',
    help: 'eBay takes no more changes of this listing today.',
    isDaily: true,
  },
  {
    api: 'Trading',
    codes: [10029, 21916923, 21919028],
    words: [/\brevis/i, /\b(12 hours|twelve hours|has bids?|pending bids?|pending offers?|best offers?)\b/i],
    failure: 'not_yet',
    platformCode: 'bid_or_offer',
    help: 'eBay takes no such change while the listing has a bid or an open offer, or ends within 12 hours.',
  },
  { api: 'Trading', codes: [340], help: 'The list became shorter meanwhile. Hapax reads it again.' },

  {
    api: 'Trading',
    codes: [21919474],
    help: 'Another tool made this listing by eBay’s Inventory API, so only that tool can change it. End the listing, and list the item again here.',
  },
  {
    api: 'Trading',
    codes: [21919067],
    help: 'The shop has the same listing already. End that one, or tell in this item what is different.',
  },

  // The content of a listing.
  {
    api: 'Trading',
    codes: [240],
    help: 'Look for words, links or contact data in title and description that eBay does not allow, and take them out. If there are none, read what eBay wrote to the shop.',
  },
  { api: 'Trading', codes: [70], help: 'Give the item a title of 1 to 80 characters.' },
  { api: 'Trading', codes: [37], help: 'Correct the field that eBay names.' },
  {
    api: 'Trading',
    codes: [21919301, 21919302, 21919303],
    help: 'Fill in the item specific that eBay names, in the listing options.',
  },
  { api: 'Trading', codes: [73], help: 'Give the item a price that eBay takes in this category.' },
  { api: 'Trading', codes: [95], help: 'The price must be in the currency of the listing’s own eBay site.' },
  { api: 'Trading', codes: [87], help: 'Choose a category without subcategories.' },
  { api: 'REST', codes: [62005, 62008, 62009], help: 'Choose another category, one without subcategories.' },
  { api: 'Trading', codes: [21916883, 21916884, 21917121], help: 'Choose a condition that the category has.' },
  {
    // Since May 2026 in categories of coins, at any change of a listing. The code is that of the older warning about cards.
    api: 'Trading',
    codes: [21920370],
    words: [/\bcondition (descriptors?|grading)\b|\bstandardi[sz]ed condition\b/i],
    platformCode: 'condition_details',
    help: 'eBay wants standardized condition details (such as grader and grade) here, also when only the price changes. Complete the condition of the listing on eBay, or in the listing options of a new one, then try again.',
  },
  {
    api: 'Trading',
    codes: [21919136],
    help: 'Add photos. eBay wants at least one, with a long side of 500 pixels or more.',
  },
  { api: 'Trading', codes: [83], help: 'The listing’s duration does not fit its category. Correct it on eBay.' },
  {
    api: 'Trading',
    codes: [22003, 23004, 23005],
    help: 'Correct the Best Offer of the listing on eBay: both limits must be below the price, and the one for accepting above the one for declining.',
  },

  // Shop, policies, place, parcel.
  {
    api: 'REST',
    codes: [20401, 20403, 20404, 62002, 62003, 62004],
    help: 'Check that the shop sells on this eBay site and has business policies there.',
  },
  { api: 'Trading', codes: [717], help: 'Correct the weight and the size of the parcel in the item.' },
  {
    api: 'Trading',
    codes: [21919188, 21919189],
    help: 'The shop’s selling limit is reached. Ask eBay for a higher one, or wait for the next month.',
  },

  {
    api: 'REST',
    codes: [32300],
    help: 'Check the tracking number, letters and digits only, and choose its carrier. Or ship without tracking.',
  },
  {
    api: 'REST',
    codes: [34100, 34200, 34300, 34500],
    help: 'Enter the parcel in the order on eBay. Hapax sees it at the next reading.',
  },

  // Warnings: eBay went on without these.
  { api: 'REST', codes: [20200], help: 'eBay left this out and went on.' },

  // Requests that Hapax makes by itself. A seller cannot help.
  {
    api: 'REST',
    codes: [
      30700, 30800, 30810, 30820, 30830, 30840, 30850, 30900, 31000, 31100, 32100, 32200, 32210, 32500, 32600, 32800,
      62006, 62007, 195001, 195003, 195004, 195005, 195006, 195007, 195008, 195009, 195010, 195012, 195013, 195014,
      195015, 195016, 195017, 195018, 195019, 195020, 195021, 195022, 195025, 195027,
    ],
    help: 'Tell the operator of this server, because only Hapax can mend it.',
  },
]

/**
 * The meaning of eBay's warnings for a seller, by API and code (KB 880, 1528, 2161). Null: none, and the seller does not
 * read it. All others are shown in eBay's words.
 */
const warnings: Record<string, string | null> = {
  'Trading 21917089': 'The new price ended the sale event of this listing on eBay.',
  'Trading 21992': 'eBay no longer declines low offers for this listing by itself. Set the limit again on eBay.',
  'Trading 21917091': null,
}

/** Passes on the warnings of an answer. */
export function reportWarnings(api: RefusalRow['api'], faults: readonly Fault[]): void {
  for (const { code, words } of faults) {
    const known = warnings[`${api} ${code}`]
    if (known) warn(known)
    else if (known === undefined) warn(`eBay says: ${words || 'no words'}${code ? ` (warning ${code})` : ''}`)
  }
}

const byCode = new Map<string, RefusalRow>(
  refusals.flatMap((row) => row.codes.map((code) => [`${row.api} ${code}`, row] as const)),
)

/** Returns what is known of an error; undefined for an unknown one. */
export function findRefusal(api: RefusalRow['api'], code: string | null | undefined): RefusalRow | undefined {
  return code ? byCode.get(`${api} ${code}`) : undefined
}

/**
 * Returns the error of a refusal whose meaning is known, by its code or else by its words; null for any other. Only
 * words that are certainly English may be given as `words`.
 */
export function knownRefusal(code: string, reason: string, words = ''): PlatformError | null {
  const meanings = refusals.filter(({ platformCode }) => platformCode)
  const meaning =
    meanings.find(({ codes }) => codes.includes(Number(code))) ??
    meanings.find(({ words: all }) => all?.every((pattern) => pattern.test(words)))
  if (!meaning) return null
  const { failure = 'refused', help, platformCode, isDaily } = meaning
  const theirs = `eBay${code ? `, error ${code}` : ''}: "${reason.trim().replace(/\.$/, '')}".`
  return new PlatformError('ebay', failure, `${help} (${theirs})`, {
    platformCode,
    ...(isDaily ? { retryAfterMs: untilNextDayMs(new Date()) } : {}),
    cause: new Error(theirs),
  })
}

/** Returns what eBay itself said in a refusal, with its code. */
export const theirWords = ({ cause, message }: PlatformError) => (cause instanceof Error ? cause.message : message)
