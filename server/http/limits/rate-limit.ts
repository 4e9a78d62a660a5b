import type Koa from 'koa'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import type { Principal } from '../credentials/authenticate.ts'

/** The limits of every endpoint. They throw `rate_limited` with Retry-After. */
export interface RateLimits {
  /** Runs before any lookup: counts requests without a well-formed credential, and token-issuing ones. */
  limitAddress(
    ctx: Koa.Context,
    address: string,
    declaration: Pick<RouteDeclaration, 'auth' | 'issuesToken'>,
    credential: 'none' | 'ambiguous' | 'malformed' | 'bearer' | 'api_key',
  ): Promise<void>
  /** Runs once the caller is known: 600 requests a minute for a key, 1,200 for a user, 50 of an account at once. */
  limitPrincipal(ctx: Koa.Context, principal: Principal, declaration: RouteDeclaration): Promise<void>
  /** Counts a well-formed but unknown credential as an anonymous request of its address. */
  countUnknown?(ctx: Koa.Context, address: string): void
}
