import type { FakeAnswer, FakeRequest } from '#server/sandbox/kit/answer.ts'
import type { Grants } from '../grants.ts'
import type { OfferStore } from '../offers.ts'
import type { TradingDesk } from '../trading-call.ts'

export type Body = Record<string, unknown>

export interface Asked {
  request: FakeRequest
  seller: string
  /** Parts of the path that the pattern names. */
  parts: Record<string, string>
  body: Body
}

export interface Operation {
  id: string
  method: string
  pattern: RegExp
  scope: 'sell.inventory' | 'sell.account' | null
  /** Wants Content-Language (and a JSON body). */
  speaks?: boolean
  answer(shop: SellingDesk, asked: Asked): FakeAnswer
}

/** What the Inventory, Account and Taxonomy APIs are answered from. */
export interface SellingDesk {
  desk: TradingDesk
  offers: OfferStore
  grants: Grants
}
