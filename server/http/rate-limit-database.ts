import pgPromise from 'pg-promise'
import { type Database, refusesWrites, sql } from '#server/infra/db/index.ts'
import { type Allowance, applyAllowances } from './allowance.ts'
import { batched } from './batch.ts'
import type { LimitSettings } from './limit-settings.ts'
import { createMemoryCounts, type MemoryCounts } from './memory-counts.ts'
import type { RateLimits } from './rate-limit.ts'

const countRequests = new pgPromise.PreparedStatement({
  name: 'count-requests',
  text: sql(import.meta.url, './sql/count-requests.sql'),
})

interface Count {
  /** This request's number in the running minute. */
  ordinal: number
  secondsLeft: number
}

/**
 * The general limits, counted in PostgreSQL and so shared by all servers: exact, and one query for all requests of a
 * tick. Who holds a credential is counted where it is looked up (auth/credential-store); here it is only judged. While the
 * database refuses writes each process counts by itself. `spareMs`, `giveWay`: how
 * a token-issuing request waits for others (http/batch).
 */
export function databaseLimits(
  db: Database,
  settings: LimitSettings,
  { now = Date.now }: { now?: () => number } = {},
): RateLimits {
  const here = createMemoryCounts(now)
  const count = batched<string, Count>((subjects) => countAll(db, subjects, here))
  // Addresses that are over their limit, until when: a flood is refused without asking the database again.
  const refused = new Map<string, number>()

  /** The allowance if the address is known to be over its limit. */
  function known(subject: string, policy: Allowance['policy'], limit: number): Allowance | null {
    const until = refused.get(subject)
    if (until === undefined) return null
    if (until > now()) return { policy, limit, ordinal: limit + 1, secondsLeft: (until - now()) / 1000 }
    refused.delete(subject)
    return null
  }

  async function take(subject: string, policy: Allowance['policy'], limit: number): Promise<Allowance> {
    const stopped = known(subject, policy, limit)
    if (stopped) return stopped
    const { ordinal, secondsLeft } = await count(subject)
    if (ordinal > limit) {
      // Bounded: a forgotten account only costs a query.
      if (refused.size > 50_000) refused.clear()
      refused.set(subject, now() + secondsLeft * 1000)
    }
    return { policy, limit, ordinal, secondsLeft }
  }

  /** Counts without letting the request wait; refuses when the count before it said so. */
  function takeLater(ctx: Parameters<RateLimits['admitAddress']>[0], address: string): void {
    const subject = `a:${address}`
    const stopped = known(subject, 'address', settings.anonymousPerMinute)
    if (stopped) applyAllowances(ctx, [stopped])
    take(subject, 'address', settings.anonymousPerMinute).catch((error: unknown) =>
      ctx.state.log?.warn({ err: error }, 'a request could not be counted'),
    )
  }

  return {
    async admitAddress(ctx, address, declaration, credential) {
      if (declaration.auth !== 'none') {
        // Judged once its holder is known, or counted by countUnknown.
        if (credential === 'bearer' || credential === 'api_key') return
        // A text that cannot be a credential is answered without the database; it is counted behind the answer.
        if (credential === 'malformed') return takeLater(ctx, address)
      }
      const taken = [take(`a:${address}`, 'address', settings.anonymousPerMinute)]
      if (declaration.issuesToken) taken.push(take(`t:${address}`, 'token', settings.issuingPerMinute))
      applyAllowances(ctx, await Promise.all(taken))
    },
    async admitPrincipal(ctx, principal, declaration) {
      applyAllowances(ctx, principal.allowances ?? [], !declaration.neverLimited)
    },
    countUnknown: takeLater,
  }
}

async function countAll(db: Database, subjects: string[], here: MemoryCounts): Promise<Count[]> {
  const asked = new Map<string, number>()
  for (const subject of subjects) asked.set(subject, (asked.get(subject) ?? 0) + 1)
  const rows = await db
    .any<{ subject: string; count: number; seconds: number }>(countRequests, [[...asked.keys()], [...asked.values()]])
    .catch((error: unknown) => {
      if (!refusesWrites(error)) throw error
      return [...asked].map(([subject, requests]) => ({ subject, ...here.add(subject, requests) }))
    })
  const states = new Map(
    rows.map((row) => [row.subject, { before: row.count - (asked.get(row.subject) ?? 0), seconds: row.seconds }]),
  )
  return subjects.map((subject) => {
    const state = states.get(subject)
    if (!state) throw new Error('a counted subject has no count')
    return { ordinal: ++state.before, secondsLeft: state.seconds }
  })
}
