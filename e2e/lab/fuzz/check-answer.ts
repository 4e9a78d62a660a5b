import type { ApiDocument, Operation } from './document.ts'
import type { Draft, Sent } from './draft.ts'
import type { Answer } from './send.ts'

/** Data of other tenants that an answer must not show. */
export interface Strangers {
  canaries: readonly string[]
  /** Returns true for an id from an earlier answer to another tenant. */
  owns(id: string): boolean
}

/** Matches ids of the API, except for request ids. */
export const idPattern = /\b(?!req_)[a-z]{3}_[0-9A-Za-z]{22}\b/g

const internals = /\bselect \w|\binsert into|app_user|node_modules|\.ts:\d|at async /
const neededHeaders: Record<number, string> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
}

/** Returns the documented operation of a request; null if none has its method and path. */
function operationAt(document: ApiDocument, { method, target }: Sent): Operation | null {
  const [path] = target.split('?')
  const wanted = method === 'HEAD' ? 'GET' : method
  const fits = document.operations.filter(({ path: template }) => patternOf(template).test(path!))
  const fixed = fits.filter(({ path: template }) => !template.includes('{'))
  return (fixed.length > 0 ? fixed : fits).find((one) => one.method === wanted) ?? null
}

const patterns = new Map<string, RegExp>()
function patternOf(template: string): RegExp {
  const known = patterns.get(template)
  if (known) return known
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`^${escaped.replace(/\{\w+\}/g, '[^/]+')}$`)
  patterns.set(template, pattern)
  return pattern
}

/** Returns the faults of an answer: contradictions to the document, and data of other tenants. */
export function faultsOf(
  document: ApiDocument,
  draft: Draft,
  sent: Sent,
  answer: Answer,
  strangers: Strangers,
): string[] {
  const { status, headers, text } = answer
  if (draft.mayBeNoHttp && headers['x-request-id'] === undefined && [400, 417, 431].includes(status)) return []
  const faults: string[] = []
  const operation = operationAt(document, sent)
  if (status >= 500) faults.push(`status ${status}`)
  if (headers['x-request-id'] === undefined) faults.push('no X-Request-Id')
  const needed = neededHeaders[status]
  if (needed && headers[needed] === undefined) faults.push(`status ${status} without ${needed}`)
  if (operation && sent.method !== 'HEAD') faults.push(...contradictions(document, operation, answer))
  if (
    status < 300 &&
    operation === draft.operation &&
    draft.isBodyAsWritten &&
    refusesBody(document, operation, sent)
  ) {
    faults.push('a body was accepted that the document refuses')
  }
  const isHtml = headers['content-type']?.startsWith('text/html')
  if (status >= 400 && !isHtml && internals.test(text)) faults.push('the answer shows internals')
  const lower = text.toLowerCase()
  if (strangers.canaries.some((canary) => lower.includes(canary.toLowerCase()))) {
    faults.push("the answer holds another tenant's text")
  }
  // An answer about many repeats the ids that it was asked about, and says that there is nothing.
  const found = text.replace(/\{[^{}]*"code":"not_found"[^{}]*\}/g, '')
  if (found.match(idPattern)?.some((id) => strangers.owns(id))) faults.push("the answer holds another tenant's id")
  return faults
}

/** Returns true if the document refuses a JSON body. The API trims text, which a schema cannot express. */
function refusesBody(document: ApiDocument, operation: Operation, { body }: Sent): boolean {
  if (!body || operation.body?.type !== 'application/json') return false
  const trimmed = (_name: string, value: unknown) => (typeof value === 'string' ? value.trim() : value)
  return ![undefined, trimmed].some((reviver) => document.acceptsBody(operation, JSON.parse(body.toString(), reviver)))
}

function contradictions(document: ApiDocument, operation: Operation, { status, headers, text }: Answer): string[] {
  const types = operation.answers.get(status)
  if (!types) return [`status ${status} is not documented`]
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim()
  if (types.length === 0) return text === '' ? [] : [`status ${status} has a body that is not documented`]
  if (!types.includes(type)) return [`status ${status} is of the undocumented type "${type}"`]
  if (!type.endsWith('json')) return []
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return [`status ${status} has a body that is no JSON`]
  }
  return document.answerFaults(operation, status, type, body).map((fault) => `status ${status}: ${fault}`)
}
