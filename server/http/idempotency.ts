import type Koa from 'koa'
import type { RouteDeclaration } from '#shared/contract/route.ts'
import type { Principal } from './authenticate.ts'

export interface IdempotentCall {
  operationId: string
  declaration: RouteDeclaration
  principal: Principal | null
  input: unknown
}

export interface HandlerReply {
  status: number
  body?: unknown
}

/** `Idempotency-Key` (decisions 2): the same key and body replays the first answer. */
export interface Idempotency {
  once(ctx: Koa.Context, call: IdempotentCall, run: () => Promise<HandlerReply>): Promise<HandlerReply>
}

/** Runs every call: for tests that are about something else. */
export const withoutIdempotency: Idempotency = { once: (_ctx, _call, run) => run() }
