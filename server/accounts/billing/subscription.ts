import type { Config } from '#server/config.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Subscription } from '#shared/contract/account/billing.ts'
import * as sql from './queries.ts'

const dayMs = 86_400_000

/**
 * Renewals may be reported late and failed payments are retried for days, so a paying seller must not be stopped in
 * between.
 */
export const stripeGraceMs = dayMs

export interface Entitlements {
  /** The database's time, ISO. */
  at: string
  /** When the account was created, or one of its shops was first connected to any account, ISO. */
  trial_began_at: string
  operator_until: string | null
  stripe_until: string | null
}

/** Returns the end of each source in Unix milliseconds; sources that a seller never had are absent. */
export function endsOf(given: Entitlements, trialDays: number) {
  const sources = [
    { source: 'trial', at: Date.parse(given.trial_began_at) + trialDays * dayMs, graceMs: 0 },
    { source: 'operator', at: Date.parse(given.operator_until ?? ''), graceMs: 0 },
    { source: 'stripe', at: Date.parse(given.stripe_until ?? ''), graceMs: stripeGraceMs },
  ] as const
  return sources.filter(({ at }) => !Number.isNaN(at))
}

/** Decides the subscription: the longest of several sources. */
export function decideSubscription(given: Entitlements, trialDays: number): Subscription {
  const now = Date.parse(given.at)
  const live = endsOf(given, trialDays).filter(({ at, graceMs }) => at + graceMs > now)
  const [longest] = live.sort((a, b) => b.at - a.at)
  if (!longest) return { active: false, source: 'none', ends_at: null }
  return { active: true, source: longest.source, ends_at: new Date(longest.at).toISOString() }
}

/** The subscription of every account of a server that sells none. */
export const openSubscription: Subscription = { active: true, source: 'open', ends_at: null }

export type BillingConfig = Pick<Config, 'TRIAL_DAYS' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'sandbox'>

/** Returns whether this server sells subscriptions: with Stripe, and in the sandbox. */
export const sellsSubscriptions = ({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, sandbox }: BillingConfig): boolean =>
  sandbox || STRIPE_SECRET_KEY !== undefined || STRIPE_WEBHOOK_SECRET !== undefined

/** Returns whether the user's subscription is active, its source and its end. */
export async function findSubscription(
  queries: Queries,
  config: BillingConfig,
  user_id: number,
): Promise<Subscription> {
  if (!sellsSubscriptions(config)) return openSubscription
  const row = await queries.oneOrNone(sql.findEntitlements({ user_id }))
  if (!row) throw notFound()
  return decideSubscription(row, config.TRIAL_DAYS)
}
