import type { EbayMarket } from './market.ts'
import type { XmlElement } from './xml.ts'

/** The state that Trading calls read and change. */
export interface TradingContext {
  market: EbayMarket
  clock: () => Date
  /** The sandbox's own address, for pages and pictures. */
  baseUrl: string
  /** Revisions of each listing by `item day`, in UTC. */
  revisions?: Map<string, number>
  /** The site that a call names in its header; eBay US by default. */
  siteId?: string
  /** Age of the data that reads return: eBay's reads lag behind its writes. */
  lag?: { ms: number }
}

/** An error in eBay's words. */
export interface TradingFault {
  code: string
  short: string
  long: string
  /** Values in the text, in its order. */
  parameters?: string[]
  classification?: 'RequestError' | 'SystemError'
}

/** Answers one call of a seller. eBay does what it was asked for and may warn. */
export type Handler = (
  context: TradingContext,
  seller: string,
  request: XmlElement,
) => { body: string; warnings?: TradingFault[] } | TradingFault

/** Oldest level that eBay has to take: each is supported for 18 months (eBay Schema Versioning Strategy). */
export const oldestLevel = 1415
