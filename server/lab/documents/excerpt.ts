import { z } from 'zod'

/*
 * Takes out of published OpenAPI documents what requests and answers are checked by: paths, parameters, bodies, scopes,
 * answers where they are asked for, and the schemas that they name. No prose, no examples.
 */

export interface Source {
  /** A parsed document. */
  json: unknown
  /** Stands before its paths. */
  basePath?: string
}

export interface ExcerptOptions {
  /** Members that a document describes wrongly, which may be anything. */
  loose?: readonly string[]
  /** Keeps answers too. */
  answers?: boolean
  /** Leaves out operations that no document has, rather than throwing. */
  lenient?: boolean
}

/** Operations of a document, and the schemas that they name. */
export interface Excerpt {
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
 * Returns the operations with these ids. Throws when a document is none, an operation is in none of them, or two of them
 * give one name to different schemas.
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
        keepNamed(shown, document.components.schemas, schemas, kept, loose)
      }
    }
  }
  if (left.size > 0 && !lenient) throw new Error(`No document has ${[...left].join(', ')}.`)
  return { paths, components: { schemas } }
}

/** Keeps the schemas that something names, and those that they name. */
function keepNamed(
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
        throw new Error(`Two documents call different things ${name}.`)
      continue
    }
    into[name] = named
    keepNamed(into[name], from, into, kept, loose)
  }
}

/** Under these the members are names. */
const ofNames = new Set(['properties', 'content', 'security', 'responses'])

/** `named`: the members are names of the platform's, not words of OpenAPI. */
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
