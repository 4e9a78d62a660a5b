import type { Answer, Request, RouteDeclaration } from '../contract/declaring/route.ts'
import { contract } from '../contract/index.ts'

export type { Event } from '../contract/events.ts'
export type { OperationId } from '../contract/index.ts'

type Contract = typeof contract

/** The request and the answer of every operation. In the package this file is made from the contract. */
export type Operations = { [Id in keyof Contract]: { request: Request<Contract[Id]>; answer: Answer<Contract[Id]> } }

/** An operation as the client sends it. */
export interface Operation {
  method: string
  path: string
  idempotent?: boolean
  bodyType?: string
}

/** Every operation by its id. */
export const operations: Record<string, Operation> = Object.fromEntries(
  Object.entries<RouteDeclaration>(contract).map(([id, { method, path, idempotent, bodyType }]) => [
    id,
    { method, path, ...(idempotent ? { idempotent } : {}), ...(bodyType ? { bodyType } : {}) },
  ]),
)
