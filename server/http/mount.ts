import { Readable } from 'node:stream'
import Router from '@koa/router'
import type Koa from 'koa'
import type { z } from 'zod'
import type { Quotas } from '#server/http/quotas/index.ts'
import type { AuditTrail } from '#server/infra/audit/record.ts'
import type { DiskGuard } from '#server/infra/db/disk-guard.ts'
import { HttpProblem, invalidField, problem } from '#server/infra/errors.ts'
import type { Auth, Input, Reply, RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { onceAnswered } from './answers/answers.ts'
import { checkAnswer } from './answers/check-answer.ts'
import { describeIssue } from './answers/describe-issue.ts'
import { entityTag, isTagged } from './answers/entity-tag.ts'
import { invalidRequest } from './answers/translate-error.ts'
import { audited } from './audited.ts'
import { readBody } from './bodies/read-body.ts'
import { type JsonWay, jsonReader } from './bodies/read-json.ts'
import { readUploadedFile, uploadTypes } from './bodies/uploaded-file.ts'
import {
  type BearerPrincipal,
  type CredentialStore,
  identify,
  type Principal,
  permit,
  readCredential,
} from './credentials/authenticate.ts'
import { requireRecentProof } from './credentials/recent-proof.ts'
import { type Idempotency, type KeepReply, keepNothing } from './idempotency/idempotency.ts'
import type { RateLimits } from './limits/rate-limit.ts'

type PrincipalOf<A extends Auth> = A extends 'none' ? null : A extends 'bearer' ? BearerPrincipal : Principal

/** The context of a request, beyond the handler's input. */
interface HandlerContext<R extends RouteDeclaration = RouteDeclaration> {
  principal: PrincipalOf<R['auth']>
  requestId: string
  /** The caller's address as far as it can be trusted; IPv6 cut to its /64. */
  address: string
  userAgent: string
  /** Returns a header of the request, empty if absent: for headers of HTTP itself, such as If-Match. */
  header(name: string): string
  /** Names the account for the audit trail where no credential does. */
  actsFor(userId: number): void
  /** Aborts when the client closes the connection before the response. */
  gone(): AbortSignal
  /** Stores the response under the call's `Idempotency-Key`, if any, in the transaction of its work. */
  keep: KeepReply
}

type Handler<R extends RouteDeclaration> = (input: Input<R>, context: HandlerContext<R>) => Promise<Reply<R>>

/** A handler for every declared endpoint. A missing one, or a response of another shape, does not compile. */
export type Handlers<Routes extends Record<string, RouteDeclaration>> = { [Id in keyof Routes]: Handler<Routes[Id]> }

interface MountOptions {
  credentials: CredentialStore
  limits: RateLimits
  idempotency: Idempotency
  /** Limits the data that an account stores. */
  quotas?: Pick<Quotas, 'limitWrite'>
  /** Refuses writes while the database's disk is nearly full. */
  disk?: Pick<DiskGuard, 'refuseIfLow'>
  /** Records operations declared with `audit`, and refused credentials. */
  audit?: AuditTrail
  /** Checks each answer against its declaration. */
  checksAnswers?: boolean
}

/** Returns a router with every endpoint of a contract, each of one step. */
export function mountContract<Routes extends Record<string, RouteDeclaration>>(
  routes: Routes,
  handlers: Handlers<Routes>,
  options: MountOptions,
): Router {
  const router = new Router({ strict: true, sensitive: true })
  for (const [operationId, declaration] of Object.entries(routes)) {
    const handler = handlers[operationId] as unknown as Handler<RouteDeclaration>
    const method = declaration.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
    const answer = serve(operationId, declaration, handler, options)
    router[method](
      operationId,
      declaration.path.replace(/\{(\w+)\}/g, ':$1'),
      options.audit ? audited(operationId, declaration, options.audit, answer) : answer,
    )
  }
  return router
}

function serve(
  operationId: string,
  declaration: RouteDeclaration,
  handler: Handler<RouteDeclaration>,
  options: MountOptions,
): (ctx: Koa.Context) => Promise<void> {
  const readRequestBody = bodyReader(declaration)
  return async (ctx) => {
    const state = ctx.state as { requestId: string; address: string }
    ctx.state.operationId = operationId
    ctx.res.setHeader('Cache-Control', 'no-store')
    const credential = readCredential(ctx.req.headers, ctx.req.rawHeaders)
    await options.limits.limitAddress(ctx, state.address, declaration, credential.kind)
    // Also on public endpoints: a client with two credentials does not know on whose behalf it acts.
    if (credential.kind === 'ambiguous') throw problem('ambiguous_credentials')
    const principal =
      declaration.auth === 'none'
        ? null
        : await identify(credential, options.credentials, () => options.limits.countUnknown?.(ctx, state.address))
    // Set the caller before the limits, so that a refused call counts in the usage of its key.
    ctx.state.principal = principal
    if (principal && declaration.auth !== 'none') permit(declaration.auth, principal)
    if (principal) requireRecentProof(declaration, principal)
    if (principal) await options.limits.limitPrincipal(ctx, principal, declaration)
    // Read the body only after authorization, so that strangers cannot fill the memory.
    const body = await readRequestBody(ctx)
    if (principal && declaration.method !== 'GET' && !declaration.neverLimited) {
      if (!declaration.worksOnLowDisk) options.disk?.refuseIfLow()
      await options.quotas?.limitWrite(principal.user_id, body.bytes)
    }

    const input = {
      params: parsePart(declaration.params, ctx.params, 'params'),
      query: parseQuery(declaration, ctx),
      body: declaration.body && parsePart(declaration.body, body.value, 'body'),
    }
    const run = async (keep: KeepReply) => {
      const context = {
        principal,
        requestId: state.requestId,
        address: state.address,
        userAgent: ctx.get('user-agent').slice(0, 300),
        header: (name: string) => ctx.get(name),
        gone: () => signalOfLeaving(ctx),
        keep,
        actsFor: (userId: number) => {
          ctx.state.actsFor = userId
        },
      } as unknown as HandlerContext
      const answer = (await handler(input as never, context)) as { status: number; body?: unknown }
      if (declaration.audit) ctx.state.answered = answer.body
      return answer
    }
    const reply = declaration.idempotent
      ? await options.idempotency.once(ctx, { operationId, declaration, principal, input }, run)
      : await run(keepNothing)
    send(ctx, declaration, reply, options)
  }
}

/** Returns a signal that aborts with 503 `unavailable` when the client closes the connection. */
export function signalOfLeaving(ctx: Koa.Context): AbortSignal {
  const leaving = new AbortController()
  onceAnswered(ctx, () => leaving.abort(problem('unavailable', 'The client closed the connection.')))
  return leaving.signal
}

function send(
  ctx: Koa.Context,
  declaration: RouteDeclaration,
  reply: { status: number; body?: unknown },
  { checksAnswers }: MountOptions,
): void {
  const schema = declaration.replies[reply.status]
  if (schema === undefined) throw new Error(`status ${reply.status} is not declared`)
  ctx.status = reply.status
  if (schema === null) {
    ctx.body = null
    ctx.status = reply.status
    return
  }
  if (declaration.streamed && reply.body instanceof Readable) {
    ctx.type = `${declaration.replyType ?? 'application/json'}; charset=utf-8`
    ctx.body = reply.body
    // Compression passes no error on, and the client would wait for the rest forever.
    reply.body.once('error', (error) => ctx.res.destroy(error))
    return
  }
  if (checksAnswers) checkAnswer(schema, reply.body)
  if (reply.status === 201 && declaration.location) {
    const created = reply.body as Record<string, unknown>
    ctx.set(
      'Location',
      declaration.location.replace(/\{(\w+)\}/g, (_, name: string) => String(created[name])),
    )
  }
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  const text = JSON.stringify(reply.body)
  // A secret beside a text that the client chose must not be compressed with it (BREACH).
  if (declaration.secretReply) ctx.compress = false
  if (reply.status === 200 && isTagged(declaration)) {
    ctx.etag = entityTag(text, reply.body)
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
  }
  ctx.body = text
}

function parsePart(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (!schema) return {}
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  // An invalid id is answered like an unknown one.
  if (part === 'params') throw problem('not_found')
  throw invalidRequest(parsed.error)
}

function parseQuery(declaration: RouteDeclaration, ctx: Koa.Context): unknown {
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(ctx.querystring)) {
    const field = name.slice(0, 100)
    if (value.includes('\0') || name.includes('\0')) {
      throw invalidField(field.replaceAll('\0', ''), 'invalid_text', 'contains a character that is not text')
    }
    if (values.has(name)) throw invalidField(field, 'given_twice', 'is given twice')
    values.set(name, value)
  }
  if (!declaration.query) {
    for (const name of values.keys()) {
      throw invalidField(name.slice(0, 100), 'unknown_member', 'is not a parameter of this request')
    }
    return {}
  }
  return parsePart(declaration.query, Object.fromEntries(values), 'query')
}

interface RequestBody {
  value?: unknown
  /** Bytes that count for the daily quota; 0 for images, which have a quota of their own. */
  bytes: number
}

type BodyReader = (ctx: Koa.Context) => Promise<RequestBody>

/** Returns the reader of an endpoint's body. Throws 400, 413 and 415 for one that the endpoint does not expect. */
function bodyReader(declaration: RouteDeclaration): BodyReader {
  if (declaration.method === 'GET') return async () => ({ bytes: 0 })
  if (!declaration.body) return readNothing
  if (declaration.bodyType === 'image') return readImage
  const read =
    declaration.bodyType === 'text/csv'
      ? readFile
      : readText(declaration.largeBody ?? (declaration.auth === 'none' ? 'anonymous' : 'json'))
  return (ctx) => {
    if (ctx.is(declaration.bodyType ?? 'application/json')) return read(ctx)
    if (!hasBody(ctx)) throw problem('invalid_json', `A body of ${declaration.bodyType ?? 'JSON'} is needed.`)
    throw problem('unsupported_media_type', declaration.bodyType && `Send ${declaration.bodyType}.`)
  }
}

const hasBody = (ctx: Koa.Context) =>
  Number(ctx.request.length ?? 0) > 0 || ctx.req.headers['transfer-encoding'] !== undefined

/** Some clients always send JSON, {} for an endpoint without a body. */
async function readNothing(ctx: Koa.Context): Promise<RequestBody> {
  if (!hasBody(ctx) || (ctx.is('application/json') && (await isEmptyBody(ctx)))) return { bytes: 0 }
  throw problem('invalid_request', 'This endpoint takes no body.')
}

async function readImage(ctx: Koa.Context): Promise<RequestBody> {
  if (!hasBody(ctx)) throw problem('invalid_image', 'The body is empty.')
  if (!ctx.is(...uploadTypes)) throw problem('unsupported_media_type', 'Send an image, or a form with one.')
  // Images are compressed already. A form that shrinks a thousand times would cost more than its bytes on the wire.
  if (isCompressed(ctx)) throw problem('unsupported_media_type', 'Send an image without Content-Encoding.')
  return { value: await readUploadedFile(await readBody(ctx, 'upload'), ctx.get('content-type')), bytes: 0 }
}

async function readFile(ctx: Koa.Context): Promise<RequestBody> {
  // A short compressed body would become a long one.
  if (isCompressed(ctx)) throw problem('unsupported_media_type', 'Send the file uncompressed.')
  const value = await readBody(ctx, 'csv')
  return { value, bytes: value.length }
}

const isCompressed = (ctx: Koa.Context) => !/^(?:identity)?$/i.test(ctx.get('content-encoding').trim())

function readText(way: JsonWay): BodyReader {
  const read = jsonReader(way)
  return (ctx) => {
    const charset = /charset\s*=\s*"?([^;"\s]+)/i.exec(ctx.get('content-type'))?.[1]
    if (charset && !/^utf-?8$/i.test(charset)) throw problem('unsupported_media_type', 'Send the text in UTF-8.')
    return read(ctx)
  }
}

/** Returns whether a body has no text or is an empty JSON object. */
async function isEmptyBody(ctx: Koa.Context): Promise<boolean> {
  const body = await readBody(ctx, 'empty').catch((error: unknown) => {
    if (error instanceof HttpProblem && [413, 415].includes(error.status)) return 'something'
    throw error
  })
  return /^(?:\{\s*\})?$/.test(String(body).trim())
}
