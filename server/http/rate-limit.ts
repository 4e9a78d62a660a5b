import type Koa from 'koa'
import type { RouteDeclaration } from '#shared/contract/route.ts'
import type { Principal } from './authenticate.ts'

/** The general limits of decisions 2. They throw `rate_limited` with Retry-After. */
export interface RateLimits {
  /** Before anything is looked up: counts requests without a possible credential, and token-issuing ones. */
  limitAddress(
    ctx: Koa.Context,
    address: string,
    declaration: Pick<RouteDeclaration, 'auth' | 'issuesToken'>,
    credential: 'none' | 'ambiguous' | 'malformed' | 'bearer' | 'api_key',
  ): Promise<void>
  /** Once the caller is known: 600 a minute for a key, 1,200 for a user. */
  limitPrincipal(ctx: Koa.Context, principal: Principal, declaration: RouteDeclaration): Promise<void>
  /** A well-formed credential that nobody holds: counts as an anonymous request of its address. */
  countUnknown?(ctx: Koa.Context, address: string): void
}

/** No limits: for tests that are about something else. */
export const unlimited: RateLimits = { limitAddress: async () => {}, limitPrincipal: async () => {} }
