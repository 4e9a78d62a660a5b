import { PlatformError, type PlatformFailure } from '../errors.ts'
import { untilNextDayMs } from './call-limits.ts'

/** What a refusal to change a listing means, by eBay's codes, or by its words where a code is not documented. */
interface Meaning {
  codes: readonly string[]
  words: RegExp
  failure: Extract<PlatformFailure, 'refused' | 'not_yet'>
  /** Our code, stable over eBay's many. */
  platformCode: 'listing_on_hold' | 'revision_limit' | 'bid_or_offer'
  says: string
  /** Waits until eBay's next day, in California. */
  isDaily?: true
}

const meanings: readonly Meaning[] = [
  {
    codes: ['25096', '25097', '25098', '25759'],
    words: /\bon[- ]hold\b/i,
    failure: 'refused',
    platformCode: 'listing_on_hold',
    says: 'eBay has put this listing on hold: it is hidden and cannot be bought. The email from eBay says what to change there.',
  },
  {
    codes: ['21919165'],
    words: /(limit|maximum|exceeded|too many).*\brevisions?\b|\brevisions?\b.*(limit|maximum|exceeded|per day)/i,
    failure: 'not_yet',
    platformCode: 'revision_limit',
    says: 'eBay takes no more changes of this listing today.',
    isDaily: true,
  },
  {
    codes: ['10029', '21916923', '21919028', '25038', '25039', '25040'],
    words:
      /\b(bids?|offers?)\b.*\b(12|twelve) hours\b|\b(12|twelve) hours\b.*\b(bids?|offers?)\b|pending (bid|offer|best offer)/i,
    failure: 'not_yet',
    platformCode: 'bid_or_offer',
    says: 'eBay takes no such change while the listing has a bid or an open offer, or ends within 12 hours.',
  },
]

/**
 * Returns the error of a refusal whose meaning is known, by its code or else by its words; null for any other. Only
 * words that are certainly English may be given as `words`.
 */
export function knownRefusal(code: string, reason: string, words = ''): PlatformError | null {
  const meaning =
    meanings.find(({ codes }) => codes.includes(code)) ?? meanings.find(({ words: pattern }) => pattern.test(words))
  if (!meaning) return null
  const { failure, says, platformCode, isDaily } = meaning
  return new PlatformError('ebay', failure, withTheirWords(says, code, reason), {
    platformCode,
    ...(isDaily ? { retryAfterMs: untilNextDayMs(new Date()) } : {}),
  })
}

/** Returns a sentence with eBay's own words and code behind it. */
export function withTheirWords(says: string, code: string, words: string): string {
  return `${says} (eBay${code ? `, error ${code}` : ''}: "${words.trim().replace(/\.$/, '')}".)`
}
