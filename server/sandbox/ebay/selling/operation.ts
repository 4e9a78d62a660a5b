import type { SandboxRequest, SandboxResponse } from '#server/sandbox/kit/http.ts'
import type { Grants } from '../grants.ts'
import type { TradingContext } from '../trading-call.ts'

interface OperationRequest {
  request: SandboxRequest
  seller: string
  /** Named parts of the path. */
  parts: Record<string, string>
}

export interface Operation {
  id: string
  method: string
  pattern: RegExp
  scope: 'sell.inventory' | 'sell.account' | null
  /** Answers the application's own token as well, as the grants of its document say. */
  isOpen?: boolean
  answer(shop: SellingContext, asked: OperationRequest): SandboxResponse
}

/** The state that handlers of the selling APIs read and change. */
export interface SellingContext extends TradingContext {
  grants: Grants
}
