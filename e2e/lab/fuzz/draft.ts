import type { ApiDocument, Operation, Schema } from './document.ts'
import type { Tenant } from './tenant.ts'
import { pick, sampleOf } from './values.ts'

/** A request under construction. */
export interface Draft {
  operation: Operation
  method: string
  /** Values of the path's parameters, percent-encoded. */
  path: Record<string, string>
  /** The path with its values, if a mutation changed it. */
  pathname?: string
  /** Names and values, percent-encoded. */
  query: [string, string][]
  headers: Record<string, string>
  body?: unknown
  /** Raw body; by default `body` as JSON or as a form. */
  bytes?: Buffer
  /** The change from a valid request. */
  mutation: string
  /** True while the body matches its content type, so the document applies to it. */
  isBodyAsWritten: boolean
  /** True if Node's HTTP parser may refuse the request. */
  mayBeNoHttp: boolean
  /** True while the tenant's credential is unchanged. */
  isCredentialIntact: boolean
}

/** A request as sent. */
export interface Sent {
  method: string
  target: string
  headers: Record<string, string>
  body?: Buffer
}

/** Creates a request that the document allows. */
export function draftOf(document: ApiDocument, operation: Operation, tenant: Tenant, random: () => number): Draft {
  const source = { random, canary: tenant.canary, seen: tenant.seen }
  const draft: Draft = {
    operation,
    method: operation.method,
    path: {},
    query: [],
    headers: {},
    mutation: 'none',
    isBodyAsWritten: true,
    mayBeNoHttp: false,
    isCredentialIntact: operation.credentials.length > 0,
  }
  for (const { in: place, name, required, schema } of operation.parameters) {
    if (!required && random() < 0.6) continue
    const value = String(sampleOf(document, source, shortened(schema), name))
    if (place === 'path') draft.path[name] = encodeURIComponent(value)
    else if (place === 'query') draft.query.push([name, encodeURIComponent(value)])
    // A valid header has printable ASCII only.
    else draft.headers[name.toLowerCase()] = value.replace(/[^\x20-\x7e]/g, '').trim()
  }
  const credential = operation.credentials.length > 0 ? pick(random, operation.credentials) : null
  if (credential === 'bearer') draft.headers.authorization = `Bearer ${tenant.token}`
  if (credential === 'apiKey') draft.headers['x-api-key'] = tenant.key
  if (operation.isPage) {
    draft.headers['sec-fetch-site'] = 'same-origin'
    const cookie = [...tenant.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookie) draft.headers.cookie = cookie
  }
  if (operation.body) {
    draft.headers['content-type'] = operation.body.type
    draft.body = sampleOf(document, source, operation.body.schema)
  }
  return draft
}

/**
 * Limits text, because Node accepts 16 kB of request line and headers, and percent-encoding needs nine bytes a
 * character.
 */
const shortened = (schema: Schema): Schema => ({ ...schema, maxLength: Math.min(schema.maxLength ?? 1_000, 1_000) })

/** Serializes the body for its content type. */
export function bodyText({ operation, body }: Draft): string {
  if (operation.body?.type !== 'application/x-www-form-urlencoded') return JSON.stringify(body) ?? ''
  const fields = Object.entries((body ?? {}) as object).map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(fields).toString()
}

/** Returns the request of a draft. */
export function sentOf(draft: Draft): Sent {
  const pathname =
    draft.pathname ?? draft.operation.path.replace(/\{(\w+)\}/g, (_, name: string) => draft.path[name] ?? 'x')
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&')
  const body = draft.bytes ?? (draft.body === undefined ? undefined : Buffer.from(bodyText(draft)))
  return {
    method: draft.method,
    target: query ? `${pathname}?${query}` : pathname,
    headers: draft.headers,
    ...(body ? { body } : {}),
  }
}
