import type Koa from 'koa'
import type { Queries } from '#server/infra/db/index.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import type { Principal } from '../credentials/authenticate.ts'

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

/**
 * Stores the response of a call in the transaction of its work and returns it, so that both commit or neither. Call it
 * last in the transaction. Throws 409 `request_in_flight`, which rolls the work back, if another process has taken the
 * call over.
 */
export type KeepReply = <Status extends number, Body>(
  tx: Queries,
  reply: { status: Status; body: Body },
) => Promise<{ status: Status; body: Body }>

/** Stores nothing: for a call without a key. */
export const keepNothing: KeepReply = async (_tx, reply) => reply

/** `Idempotency-Key`: repeating a key and body replays the first response. */
export interface Idempotency {
  once(ctx: Koa.Context, call: IdempotentCall, run: (keep: KeepReply) => Promise<HandlerReply>): Promise<HandlerReply>
}
