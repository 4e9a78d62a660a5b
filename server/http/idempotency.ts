import type Koa from 'koa'
import type { Queries } from '#server/infra/db/index.ts'
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

/**
 * Keeps the answer of a call in the transaction that does its work, and passes it on: either both are there or neither,
 * however the process, the connection or the answer ends. To be called last in the transaction. Throws
 * 409 `request_in_flight`, and so undoes the work, when the call has become another process's meanwhile.
 */
export type KeepReply = <Status extends number, Body>(
  tx: Queries,
  reply: { status: Status; body: Body },
) => Promise<{ status: Status; body: Body }>

/** Keeps nothing: for a call without a key. */
export const keepNothing: KeepReply = async (_tx, reply) => reply

/** `Idempotency-Key` (decisions 2): the same key and body replays the first answer. */
export interface Idempotency {
  once(ctx: Koa.Context, call: IdempotentCall, run: (keep: KeepReply) => Promise<HandlerReply>): Promise<HandlerReply>
}

/** Runs every call: for tests that are about something else. */
export const withoutIdempotency: Idempotency = { once: (_ctx, _call, run) => run(keepNothing) }
