import { createHash, randomUUID } from 'node:crypto'
import type { Database, Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { problem } from '#server/infra/errors.ts'
import { type HandlerReply, type Idempotency, type IdempotentCall, type KeepReply, keepNothing } from './idempotency.ts'
import * as sql from './queries.ts'

/** Longer than any request. Until then, a call of a dead process counts as running. */
const leaseSeconds = 90

/**
 * `Idempotency-Key`: the first call of a user with a key runs. Repeating it within 24 hours returns its response, 409
 * while it runs, 422 for a different call. Failed calls are not stored, unless their work was committed. Secrets are
 * not stored either: repeating such a call is 409 `secret_already_shown`.
 */
export function databaseIdempotency(db: Database): Idempotency {
  return {
    async once(ctx, call, run) {
      const header = ctx.req.headersDistinct['idempotency-key']
      if (header === undefined || call.principal === null) return run(keepNothing)
      const place = { user_id: call.principal.user_id, key: acceptKey(header) }
      const request_hash = hashOf(call)
      const lease = randomUUID()
      const taken = await db.oneOrNone(
        sql.takeIdempotentCall({ ...place, request_hash, lease, lease_seconds: leaseSeconds }),
      )
      if (!taken) {
        const reply = replay(await db.oneOrNone(sql.findIdempotentCall(place)), request_hash, call)
        ctx.set('Idempotency-Replayed', 'true')
        return reply
      }
      const answer = async (queries: Queries, { status, body }: HandlerReply) => {
        const kept = call.declaration.secretReply ? null : JSON.stringify(body ?? null)
        const { rowCount } = await queries.result(sql.answerIdempotentCall({ ...place, lease, status, reply: kept }))
        return rowCount === 1
      }
      const keep: KeepReply = async (tx, reply) => {
        if (!(await answer(tx, reply))) throw problem('request_in_flight', undefined, { retryAfterSeconds: 1 })
        return reply
      }
      let reply: HandlerReply
      try {
        reply = await run(keep)
      } catch (error) {
        // The work was committed with its response, so only the response was lost: release nothing.
        await db.none(sql.releaseIdempotentCall({ ...place, lease }))
        throw error
      }
      // No row if the work's own transaction stored it.
      await answer(db, reply)
      return reply
    },
  }
}

/**
 * Releases the calls of a killed server, so that clients need not wait for its lease. Only for a database's only
 * server, before it answers: running calls of another would be released too.
 */
export async function releaseCallsOfTheDead(db: Database): Promise<void> {
  await db.none(sql.releaseUnansweredCalls())
}

type KnownCall = RowOf<typeof sql.findIdempotentCall>

function replay(known: KnownCall | null, requestHash: Buffer, call: IdempotentCall): HandlerReply {
  if (known && !known.request_hash.equals(requestHash)) throw problem('idempotency_key_reused')
  // It disappeared between the two queries: the call has just failed.
  if (!known || known.status === null) throw problem('request_in_flight', undefined, { retryAfterSeconds: 1 })
  if (call.declaration.secretReply) throw problem('secret_already_shown')
  return { status: known.status, body: known.reply }
}

function acceptKey(header: string[]): string {
  const [key = ''] = header
  if (header.length === 1 && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw problem('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

/** Returns a hash of the call by value: the order of members does not matter. */
function hashOf({ operationId, input }: IdempotentCall): Buffer {
  return createHash('sha256')
    .update(`${operationId} ${canonical(input)}`)
    .digest()
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}
