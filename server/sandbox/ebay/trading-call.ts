import type { EbayMarket } from './market.ts'
import type { XmlElement } from './xml.ts'

/** What a Trading call is answered from. */
export interface TradingContext {
  market: EbayMarket
  clock: () => Date
  /** Address of the sandbox itself, for pages and pictures. */
  baseUrl: string
  /** How old what is read may be: eBay's reads run behind its writes. */
  lag?: { ms: number }
}

/** An error as eBay words it. */
export interface TradingFault {
  code: string
  short: string
  long: string
  classification?: 'RequestError' | 'SystemError'
}

/** Answers one call of a seller. */
export type Handler = (context: TradingContext, seller: string, request: XmlElement) => { body: string } | TradingFault
