import { z } from 'zod'

/*
 * Excerpts published OpenAPI documents for checking requests and answers: paths, parameters, bodies, scopes, optionally
 * answers, and the referenced schemas. Descriptions and examples are dropped.
 */

export interface Source {
  /** A parsed document. */
  json: unknown
  /** Prefix of its paths. */
  basePath?: string
}

interface ExcerptOptions {
  /** Members that a document describes wrongly; they may have any value. */
  loose?: readonly string[]
  /** Includes answers. */
  answers?: boolean
  /** Skips operations that no document has, instead of throwing. */
  lenient?: boolean
}

/** Operations of a document, and the schemas that they reference. */
interface Excerpt {
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, unknown> }
}

const ofRequests = new Set([
  ...['$ref', 'type', 'nullable', 'enum', 'minimum', 'maximum', 'items', 'oneOf', 'anyOf', 'allOf'],
  ...['properties', 'required'],
  ...['parameters', 'name', 'in', 'schema', 'requestBody', 'content', 'operationId', 'security'],
])

const ofAnswers = new Set([...ofRequests, 'responses'])

export const OpenApiDocument = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

/**
 * Returns the operations with these ids. Throws for an invalid document, a missing operation, or two different schemas
 * of one name.
 */
export function excerptOf(
  sources: Source[],
  operationIds: readonly string[],
  { loose = [], answers = false, lenient = false }: ExcerptOptions = {},
): Excerpt {
  const kept = answers ? ofAnswers : ofRequests
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Record<string, unknown> = {}
  const left = new Set(operationIds)
  for (const { json, basePath = '' } of sources) {
    const document = OpenApiDocument.parse(json)
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const id = isObject(operation) ? String(operation.operationId) : ''
        if (!left.delete(id)) continue
        const shown = strip(operation, kept, loose)
        paths[basePath + path] = { ...paths[basePath + path], [method]: shown }
        copyReferenced(shown, document.components.schemas, schemas, kept, loose)
      }
    }
  }
  if (left.size > 0 && !lenient) throw new Error(`No document has ${[...left].join(', ')}.`)
  return { paths, components: { schemas } }
}

/** Copies the referenced schemas, recursively. */
function copyReferenced(
  value: unknown,
  from: Record<string, unknown>,
  into: Record<string, unknown>,
  kept: ReadonlySet<string>,
  loose: readonly string[],
): void {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    const named = strip(from[name], kept, loose)
    if (name in into) {
      if (JSON.stringify(named) !== JSON.stringify(into[name]))
        throw new Error(`Two documents have different schemas named ${name}.`)
      continue
    }
    into[name] = named
    copyReferenced(into[name], from, into, kept, loose)
  }
}

/** Keywords whose members are names. */
const ofNames = new Set(['properties', 'content', 'security', 'responses'])

/** Drops unused keywords. If `named`, the members are the platform's names and not keywords. */
function strip(value: unknown, kept: ReadonlySet<string>, loose: readonly string[], named = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => strip(entry, kept, loose, named))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name]) => named || kept.has(name))
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (named && loose.includes(name)) return [name, {}]
      return [name, strip(member, kept, loose, !named && ofNames.has(name))]
    }),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
