import { type FakeAnswer, type FakeRequest, xml } from './answer.ts'
import type { Grants } from './grants.ts'
import { baseScope } from './oauth.ts'
import { answerTrading, failure, type TradingDesk, type TradingFault, tradingFaults } from './trading.ts'

/** POST /ws/api.dll: who calls, may they, and then the call itself. */
export function createTradingDesk(desk: TradingDesk, grants: Grants): (request: FakeRequest) => FakeAnswer {
  const recent = new Map<string, number[]>()

  /** eBay: at most 300 GetMyeBaySelling calls of one user within 15 seconds (platforms 1.3). */
  function isBurst(seller: string): boolean {
    const now = desk.clock().getTime()
    const calls = (recent.get(seller) ?? []).filter((time) => now - time < 15_000)
    const isOver = calls.length >= 300
    recent.set(seller, isOver ? calls : [...calls, now])
    return isOver
  }

  return (request) => {
    const call = request.header('x-ebay-api-call-name')
    const refuse = (fault: TradingFault) => xml(failure(desk, call || 'Unknown', fault))
    if (!/^[A-Za-z]{1,60}$/.test(call) || !request.header('x-ebay-api-compatibility-level')) {
      return refuse(tradingFaults.unsupportedCall)
    }
    const given = request.header('x-ebay-api-iaf-token')
    if (!given) return refuse(tradingFaults.noToken)
    const grant = grants.check(given)
    if (grant === 'unknown') return refuse(tradingFaults.invalidToken)
    if (grant === 'expired') return refuse(tradingFaults.expiredToken)
    if (!grant.scopes.includes(baseScope)) return refuse(tradingFaults.authFailed)
    if (call === 'GetMyeBaySelling' && isBurst(grant.seller)) return refuse(tradingFaults.callLimit)
    return xml(answerTrading(desk, call, grant.seller, request.body))
  }
}
