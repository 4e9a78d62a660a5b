import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { isTagged } from '../answers/entity-tag.ts'

const text = { type: 'string' } as const
const seconds = { type: 'integer', minimum: 0 } as const

/** Response headers, as components of the document. */
export const answerHeaders = {
  'X-Request-Id': { description: 'Of this request; quote it when you ask about it', schema: text },
  RateLimit: { description: 'What is left: `"key";r=599;t=60`, and after how many seconds it is whole', schema: text },
  'RateLimit-Policy': { description: 'How many in how many seconds: `"key";q=600;w=60`', schema: text },
  'Retry-After': { description: 'Seconds to wait', schema: seconds },
  'WWW-Authenticate': { description: 'The kind of credential', schema: text },
  Allow: { description: 'The methods that this path takes', schema: text },
  ETag: { description: 'Of the body; send it back as `If-None-Match` to get 304 while nothing changed', schema: text },
  Location: { description: 'The path of what was created', schema: text },
  'Idempotency-Replayed': { description: '`true`: the answer of the first such request', schema: text },
} as const

type HeaderName = keyof typeof answerHeaders
const refs = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const counted: HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

/** Returns the headers of a success. */
export function headersOfSuccess(declaration: RouteDeclaration, status: string) {
  return refs([
    ...counted,
    ...(declaration.idempotent ? (['Idempotency-Replayed'] as const) : []),
    ...(status === '200' && isTagged(declaration) ? (['ETag'] as const) : []),
    ...(status === '201' && declaration.location ? (['Location'] as const) : []),
  ])
}

/** Returns the headers of an error status with these codes. */
export function headersOfFailure(status: number, codes: readonly ErrorCode[]) {
  const waits = status === 429 || status === 503 || codes.includes('request_in_flight')
  return refs([
    'X-Request-Id',
    ...(waits ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 405 ? (['Allow'] as const) : []),
  ])
}

/** Returns the request headers with a meaning for an endpoint, as parameters. */
export function headerParameters(declaration: RouteDeclaration) {
  const own = Object.entries(declaration.headers ?? {}).map(([name, description]) => ({
    in: 'header' as const,
    name,
    description,
    schema: text,
  }))
  const key = {
    in: 'header' as const,
    name: 'Idempotency-Key',
    description: 'The same key with the same body is done once and answered as the first time, for 24 hours',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' } as const,
  }
  return declaration.idempotent ? [key, ...own] : own
}
