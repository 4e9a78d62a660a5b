import { z } from 'zod'

/*
 * Takes out of published OpenAPI documents what a sandbox needs to check requests: paths, parameters, bodies, scopes and
 * the schemas that they name; answers where they are asked for. No prose, no examples.
 */

export interface Source {
  /** A parsed document. */
  json: unknown
  /** Stands before its paths. */
  basePath?: string
}

const ofRequests = new Set([
  ...['$ref', 'type', 'nullable', 'enum', 'minimum', 'maximum', 'items', 'oneOf', 'properties', 'required'],
  ...['parameters', 'name', 'in', 'schema', 'requestBody', 'content', 'operationId', 'security'],
])

const ofAnswers = new Set([...ofRequests, 'responses'])

const Document = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

/**
 * The operations with these ids. `loose`: members that a document describes wrongly, which may be anything; `answers`:
 * keep these too. Throws when a document is none, an operation is in none of them, or
 * two of them give one name to different schemas.
 */
export function excerptOf(
  sources: Source[],
  operationIds: readonly string[],
  options: { loose?: readonly string[]; answers?: boolean } = {},
): object {
  const { loose = [], answers = false } = options
  const kept = answers ? ofAnswers : ofRequests
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Record<string, unknown> = {}
  const left = new Set(operationIds)
  for (const { json, basePath = '' } of sources) {
    const document = Document.parse(json)
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
  if (left.size > 0) throw new Error(`No document has ${[...left].join(', ')}.`)
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
  if (Array.isArray(value)) return value.map((entry) => strip(entry, kept, loose))
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
