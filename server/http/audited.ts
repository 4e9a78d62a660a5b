import type Koa from 'koa'
import type { AuditTrail, Origin } from '#server/infra/audit/record.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import type { Principal } from './credentials/authenticate.ts'

/** Refusals of access. Others, such as an invalid body, reveal nothing about the actor. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'invalid_credentials',
  'wrong_password',
  'code_invalid',
  // The first step succeeded, so the caller knows the password or has the number.
  'second_factor_required',
  'passkey_refused',
  'reauthentication_required',
  'invalid_identity_token',
  'identity_in_use',
  'mailbox_refused',
  'insufficient_scope',
  'wrong_credential_kind',
  'rate_limited',
] as const)

/** Members of the request's state that the audit trail reads. */
interface State {
  requestId: string
  address: string
  principal?: Principal | null
  /** The account that a handler named. */
  actsFor?: number
  /** The body that a handler returned. */
  answered?: unknown
}

/** Returns the origin of a request for the audit trail. */
export function originOf(ctx: Koa.Context): Origin {
  const { address, requestId } = ctx.state as State
  return { address, requestId, userAgent: ctx.get('user-agent') }
}

/** Runs an operation and records in the account's audit trail what it did or why it was refused. */
export function audited(
  operationId: string,
  declaration: RouteDeclaration,
  trail: AuditTrail,
  run: (ctx: Koa.Context) => Promise<void>,
): (ctx: Koa.Context) => Promise<void> {
  async function record(ctx: Koa.Context, refusal?: HttpProblem) {
    const state = ctx.state as State
    const answered = state.answered as { id?: unknown; uid?: unknown; user?: { id: number } } | undefined
    const user_id = state.principal?.user_id ?? state.actsFor ?? answered?.user?.id ?? refusal?.userId
    if (user_id === undefined) return
    const made = answered?.id ?? answered?.uid
    const [named] = Object.values((ctx.params ?? {}) as Record<string, string>)
    await trail.record({
      user_id,
      action: declaration.audit ?? 'request.refused',
      refusal: refusal?.code,
      key_id: state.principal?.kind === 'api_key' ? state.principal.key_id : undefined,
      target: declaration.audit ? (named ?? (typeof made === 'string' ? made : undefined)) : operationId,
      origin: originOf(ctx),
    })
  }

  return async (ctx) => {
    try {
      await run(ctx)
    } catch (error) {
      const isOfAccess = error instanceof HttpProblem && refusals.has(error.code)
      // All refusals are logged; only those about access are kept per account.
      if (isOfAccess && (declaration.audit || error.status === 403)) await record(ctx, error)
      throw error
    }
    if (declaration.audit && !ctx.res.hasHeader('Idempotency-Replayed')) await record(ctx)
  }
}
