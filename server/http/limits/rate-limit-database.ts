import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Database, refusesWrites } from '#server/infra/db/index.ts'
import { type Allowance, applyAllowances } from '../allowance.ts'
import { limitOpenAnswers } from '../answers/answers.ts'
import type { Principal } from '../credentials/authenticate.ts'
import { batched } from './batch.ts'
import type { LimitSettings } from './limit-settings.ts'
import * as sql from './queries.ts'
import type { RateLimits } from './rate-limit.ts'

interface Count {
  subject: string
  /** Requests of the current minute, and its remaining seconds. */
  count: number
  seconds: number
}

/**
 * The general limits, counted in PostgreSQL so that all servers share them exactly. One query counts all requests of a turn
 * of the event loop. While the database refuses writes, each process counts alone.
 */
export function databaseLimits(db: Database, settings: LimitSettings): RateLimits {
  const here = new RateLimiterMemory({ points: 1, duration: 60 })
  const countHere = async (subject: string, requests: number): Promise<Count> => {
    const { consumedPoints, msBeforeNext } = await here.penalty(subject, requests)
    return { subject, count: consumedPoints, seconds: msBeforeNext / 1000 }
  }

  /** Counts a request of each subject. Requests of one subject get consecutive counts. */
  const count = batched<string, Count>(async (subjects) => {
    const asked = new Map<string, number>()
    for (const subject of subjects) asked.set(subject, (asked.get(subject) ?? 0) + 1)
    const counts = await db
      .any(sql.countRequests({ subjects: [...asked.keys()], requests: [...asked.values()] }))
      .catch((error: unknown) => {
        if (!refusesWrites(error)) throw error
        return Promise.all([...asked].map(([subject, requests]) => countHere(subject, requests)))
      })
    const last = new Map(counts.map((each) => [each.subject, each]))
    return subjects.map((subject) => {
      const { count, seconds } = last.get(subject) as Count
      const left = (asked.get(subject) as number) - 1
      asked.set(subject, left)
      return { subject, count: count - left, seconds }
    })
  })

  const countOpen = limitOpenAnswers(settings.openPerAccount)

  // Subjects over their limit, and until when, so that a flood is refused without the database.
  const refused = new Map<string, number>()

  /** Returns the allowance of a subject that is known to be over its limit; null otherwise. */
  function knownOver(subject: string, policy: Allowance['policy'], limit: number): Allowance | null {
    const untilMs = refused.get(subject)
    if (untilMs === undefined) return null
    const leftMs = untilMs - performance.now()
    if (leftMs > 0) return { policy, limit, ordinal: limit + 1, secondsLeft: leftMs / 1000 }
    refused.delete(subject)
    return null
  }

  async function take(subject: string, policy: Allowance['policy'], limit: number): Promise<Allowance> {
    const over = knownOver(subject, policy, limit)
    if (over) return over
    const { count: ordinal, seconds } = await count(subject)
    if (ordinal > limit) {
      // Bounded: a forgotten account only costs a query.
      if (refused.size > 50_000) refused.clear()
      refused.set(subject, performance.now() + seconds * 1000)
    }
    return { policy, limit, ordinal, secondsLeft: seconds }
  }

  /** Counts a request that the credential lookup could not count, because the database refuses writes. */
  async function countRequest(principal: Principal): Promise<Allowance[]> {
    const taken = async (subject: string, policy: Allowance['policy'], limit: number): Promise<Allowance> => {
      const { count: ordinal, seconds } = await countHere(subject, 1)
      return { policy, limit, ordinal, secondsLeft: seconds }
    }
    const byKey =
      principal.kind === 'api_key' ? [await taken(`k:${principal.key_id}`, 'key', settings.keyPerMinute)] : []
    // A request that the key's limit refuses does not count for the user.
    if (byKey.some(({ ordinal, limit }) => ordinal > limit)) return byKey
    return [...byKey, await taken(`u:${principal.user_id}`, 'user', settings.userPerMinute)]
  }

  /** Counts without delaying the request; refuses if an earlier count exceeded the limit. */
  function countLater(ctx: Parameters<RateLimits['limitAddress']>[0], address: string): void {
    const over = knownOver(`a:${address}`, 'address', settings.anonymousPerMinute)
    if (over) applyAllowances(ctx, [over])
    take(`a:${address}`, 'address', settings.anonymousPerMinute).catch((error: unknown) =>
      ctx.state.log?.warn({ err: error }, 'a request could not be counted'),
    )
  }

  return {
    async limitAddress(ctx, address, declaration, credential) {
      if (declaration.auth !== 'none') {
        // auth/credential-store counts it with the lookup, or countUnknown does.
        if (credential === 'bearer' || credential === 'api_key') return
        // A malformed credential is refused without the database, and counted after the response.
        if (credential === 'malformed') return countLater(ctx, address)
      }
      const taken = [take(`a:${address}`, 'address', settings.anonymousPerMinute)]
      if (declaration.issuesToken) taken.push(take(`t:${address}`, 'token', settings.issuingPerMinute))
      applyAllowances(ctx, await Promise.all(taken))
    },
    async limitPrincipal(ctx, principal, declaration) {
      const counted = principal.allowances ?? []
      const allowances = counted.length > 0 ? counted : await countRequest(principal)
      applyAllowances(ctx, allowances, !declaration.neverLimited)
      if (!declaration.neverLimited) countOpen(ctx, String(principal.user_id))
    },
    countUnknown: countLater,
  }
}
