import type { XmlElement } from '#server/integrations/ebay/xml.ts'
import type { EbayWorld } from './world.ts'

/** What a Trading call is answered from. */
export interface TradingDesk {
  world: EbayWorld
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
export type Handler = (desk: TradingDesk, seller: string, request: XmlElement) => { body: string } | TradingFault

/** The text of an element that is asked for once; empty where it is not there. */
export function textOf(value: XmlElement[string] | undefined): string {
  return typeof value === 'string' ? value.trim() : ''
}
