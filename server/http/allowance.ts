import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'

/** A subject's use of the current minute: this was request number `ordinal` of `limit`. */
export interface Allowance {
  policy: 'key' | 'user' | 'address' | 'token'
  limit: number
  ordinal: number
  secondsLeft: number
}

/**
 * Sets the RateLimit headers (draft-ietf-httpapi-ratelimit-headers), and throws `rate_limited` if an allowance is used
 * up. `refuses` false: counts and reports, but never refuses, as for a delist.
 */
export function applyAllowances(ctx: Koa.Context, allowances: readonly Allowance[], refuses = true): void {
  if (allowances.length === 0) return
  const policies = allowances.map(({ policy, limit }) => `"${policy}";q=${limit};w=60`)
  const states = allowances.map(
    ({ policy, limit, ordinal, secondsLeft }) =>
      `"${policy}";r=${Math.max(0, limit - ordinal)};t=${Math.max(0, Math.ceil(secondsLeft))}`,
  )
  ctx.set('RateLimit-Policy', policies.join(', '))
  ctx.set('RateLimit', states.join(', '))
  const usedUp = allowances.filter(({ limit, ordinal }) => ordinal > limit)
  if (!refuses || usedUp.length === 0) return
  throw problem('rate_limited', 'Too many requests. Wait a moment before the next.', {
    retryAfterSeconds: Math.max(1, ...usedUp.map(({ secondsLeft }) => secondsLeft)),
  })
}
