import type { SandboxRequest, SandboxResponse } from '../kit/http.ts'
import type { Grants } from './grants.ts'
import { baseScope } from './oauth.ts'
import { xml } from './responses.ts'
import { knownSites } from './sites.ts'
import { answerTrading, failure, tradingFaults } from './trading.ts'
import { oldestLevel, type TradingContext, type TradingFault } from './trading-call.ts'

/** Limits of the Trading API. */
export interface SandboxCallLimits {
  /** Calls of one user in a sliding window: of the "My eBay" lists alone, as documented, or of all calls. */
  perUser: { calls: number; seconds: number; of: 'lists' | 'all' }
  /** Calls of one name by the application in a UTC day; no limit by default. */
  perDay?: number
}

/** eBay's documented limit. The limit per day depends on the application, so there is none. */
const documented: SandboxCallLimits = { perUser: { calls: 300, seconds: 15, of: 'lists' } }

const limitedLists = ['GetMyeBaySelling', 'GetSellerList']

/** Creates the handler of POST /ws/api.dll: checks token and limits, then answers the call. `limits` null: none. */
export function createTradingHandler(
  context: TradingContext,
  grants: Grants,
  limits: SandboxCallLimits | null = documented,
): (request: SandboxRequest) => SandboxResponse {
  const recent = new Map<string, number[]>()
  const today = new Map<string, number>()
  const revisions = new Map<string, number>()

  /** Returns the error for a user over the limit. Refused calls do not count. */
  function overUserLimit(call: string, seller: string): TradingFault | null {
    if (!limits || (limits.perUser.of === 'lists' && !limitedLists.includes(call))) return null
    const { calls: most, seconds } = limits.perUser
    const now = context.clock().getTime()
    const calls = recent.get(seller) ?? []
    recent.set(seller, calls)
    while (calls.length > 0 && now - calls[0]! >= seconds * 1_000) calls.shift()
    if (calls.length < most) {
      calls.push(now)
      return null
    }
    const wait = Math.max(1, Math.ceil((calls[0]! + seconds * 1_000 - now) / 1_000))
    const long = `You have exceeded your maximum call limit of ${most} for ${seconds} seconds. Try back after ${wait} seconds.`
    return { ...tradingFaults.shortLimit, long }
  }

  function overDayLimit(call: string): TradingFault | null {
    if (limits?.perDay === undefined) return null
    const name = `${context.clock().toISOString().slice(0, 10)} ${call}`
    const used = today.get(name) ?? 0
    if (used >= limits.perDay) return tradingFaults.callLimit
    today.set(name, used + 1)
    return null
  }

  return (request) => {
    const call = request.header('x-ebay-api-call-name')
    const refuse = (fault: TradingFault) => xml(failure(context, call || 'Unknown', fault))
    // eBay names no code for a level that it no longer takes.
    if (!/^[A-Za-z]{1,60}$/.test(call) || !(Number(request.header('x-ebay-api-compatibility-level')) >= oldestLevel)) {
      return refuse(tradingFaults.unsupportedCall)
    }
    const given = request.header('x-ebay-api-iaf-token')
    if (!given) return refuse(tradingFaults.noToken)
    const grant = grants.check(given)
    if (grant === 'unknown') return refuse(tradingFaults.invalidToken)
    if (grant === 'expired') return refuse(tradingFaults.expiredToken)
    if (!grant.scopes.includes(baseScope)) return refuse(tradingFaults.authFailed)
    const over = overDayLimit(call) ?? overUserLimit(call, grant.seller)
    if (over) return refuse(over)
    const siteId = request.header('x-ebay-api-siteid')
    if (siteId !== '' && !knownSites.has(siteId)) return refuse(tradingFaults.badSite)
    return xml(answerTrading({ ...context, siteId, revisions }, call, grant.seller, request.body))
  }
}
