import type { Price } from './words.ts'

/** A line of a sale as its mail names it. Members are null where the mail does not tell. */
export interface HintLine {
  /** The id of the listing on the marketplace. */
  listing_id: string | null
  sku: string | null
  title: string | null
  /** The mail shows only the beginning of the title. */
  isCut: boolean
  size: string | null
  price_minor: number | null
  currency: string | null
}

/** The reading of a mail's words. It says nothing about who sent the mail. */
export type Hint =
  | {
      kind: 'sale'
      order_id: string | null
      /** Shown to the seller: the title, or the name of a bundle. */
      title: string | null
      price_minor: number | null
      currency: string | null
      /** A bundle's lines. Those that the mail does not name have no title. */
      lines: HintLine[]
      /** The number of lines is the least that a bundle has: the mail does not count them. */
      isOpenEnded: boolean
    }
  | { kind: 'cancellation'; order_id: string | null; title: string | null }
  /** An offer, a like, shipping, a purchase of the seller's own: it changes nothing. */
  | { kind: 'other' }
  /** Its form is not known, so it may be about a sale. */
  | { kind: 'unclear'; of: 'sale' | 'cancellation'; title: string | null }

/** The words of a mail: normalized, and each body as lines without empty ones. */
export interface MailWords {
  subject: string
  /** The HTML part first, then the text part, where there are both. */
  bodies: string[][]
}

/** A mail that is no sale. */
export const noSale: Hint = { kind: 'other' }

/** Returns a line of which only some members are known. */
export function hintLine(known: Partial<HintLine>): HintLine {
  return {
    listing_id: null,
    sku: null,
    title: null,
    isCut: false,
    size: null,
    price_minor: null,
    currency: null,
    ...known,
  }
}

/** Returns the sale of a single line. */
export function saleOf(order_id: string | null, line: HintLine): Hint {
  const { title, price_minor, currency } = line
  return { kind: 'sale', order_id, title, price_minor, currency, lines: [line], isOpenEnded: false }
}

const mostLines = 100

/**
 * Returns the sale of a bundle: as many lines as the mail names, and unnamed ones up to its count. A mail that counts
 * nothing (0) has at least two.
 */
export function bundleOf(
  { order_id, title, price }: { order_id: string | null; title: string; price: Price | null },
  named: HintLine[],
  count: number,
): Hint {
  const missing = Math.max(0, Math.min(Math.max(count, 2), mostLines) - named.length)
  const lines = [...named.slice(0, mostLines), ...Array.from({ length: missing }, () => hintLine({}))]
  return {
    ...{ kind: 'sale', order_id, title },
    ...{ price_minor: price?.price_minor ?? null, currency: price?.currency ?? null },
    ...{ lines, isOpenEnded: count < 2 && missing > 0 },
  }
}
