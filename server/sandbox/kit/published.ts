import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SandboxRequest } from './http.ts'
import { readMultipart } from './multipart.ts'

/*
 * Checks requests against a platform's published OpenAPI document. The documents are not in this repository;
 * `published.json` beside each stand-in is an excerpt of its operations without their prose.
 */

interface Schema {
  $ref?: string | undefined
  type?: string | undefined
  nullable?: boolean | undefined
  enum?: unknown[] | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  items?: Schema | undefined
  oneOf?: Schema[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.string().optional(),
    nullable: z.boolean().optional(),
    enum: z.array(z.unknown()).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    items: Schema.optional(),
    oneOf: z.array(Schema).optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
  }),
)

const Content = z.record(z.string(), z.object({ schema: Schema.optional() })).optional()
const Operation = z.object({
  operationId: z.string(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: Schema }))
    .default([]),
  requestBody: z.object({ required: z.boolean().optional(), content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })).default({}),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
})
type Operation = z.infer<typeof Operation>

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

export type CheckedRequest = Pick<SandboxRequest, 'method' | 'path' | 'query'> &
  Partial<Pick<SandboxRequest, 'header' | 'body' | 'bytes'>>

export interface Published {
  /** Returns the id of a request's operation; null when the document has none. */
  operationOf(request: Pick<SandboxRequest, 'method' | 'path'>): string | null
  /**
   * Returns the faults of a request; null when the document has no such operation. Headers and body are checked where
   * given.
   */
  checkRequest(request: CheckedRequest): string[] | null
  /** Returns the faults of an answer to an operation. */
  checkAnswer(operationId: string, status: number, body: unknown): string[]
  /** Returns the scopes that an operation needs; empty for a public one. */
  scopesOf(operationId: string): string[]
}

/** Creates the checks from the `published.json` beside a module. */
export function publishedBeside(moduleUrl: string): Published {
  return readPublished(JSON.parse(readFileSync(new URL('./published.json', moduleUrl), 'utf8')))
}

/** Creates the checks from a parsed OpenAPI document. Throws for anything else. */
export function readPublished(json: unknown): Published {
  const { paths, components } = Document.parse(json)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, raw]) => {
      const operation = Operation.safeParse(raw)
      return operation.success ? [{ path, method, operation: operation.data, pattern: patternOf(path) }] : []
    }),
  )
  const byId = new Map(operations.map(({ operation }) => [operation.operationId, operation]))

  function faultsOf(schema: Schema, value: unknown, at: string): string[] {
    if (schema.$ref) return faultsOf(components.schemas[schema.$ref.split('/').at(-1)!] ?? {}, value, at)
    if (value === null) return schema.nullable ? [] : [`${at} is null`]
    if (schema.oneOf) return schema.oneOf.map((one) => faultsOf(one, value, at)).sort(byLength)[0] ?? []
    const faults: string[] = []
    if (!isOfType(schema.type, value)) return [`${at} is no ${schema.type}`]
    if (schema.enum && !schema.enum.includes(value)) faults.push(`${at} is "${String(value)}"`)
    if (typeof value === 'number' && value < (schema.minimum ?? value)) faults.push(`${at} is below ${schema.minimum}`)
    if (typeof value === 'number' && value > (schema.maximum ?? value)) faults.push(`${at} is above ${schema.maximum}`)
    if (Array.isArray(value) && schema.items) {
      const { items } = schema
      faults.push(...value.flatMap((entry, index) => faultsOf(items, entry, `${at}.${index}`)))
    }
    if (typeof value === 'object' && !Array.isArray(value) && schema.properties) {
      const members = new Map(Object.entries(value))
      for (const name of schema.required ?? []) if (!members.has(name)) faults.push(`${at}.${name} is missing`)
      for (const [name, member] of members) {
        const known = schema.properties[name]
        faults.push(...(known ? faultsOf(known, member, `${at}.${name}`) : [`${at}.${name} is not known`]))
      }
    }
    return faults
  }

  function findOperation({ method, path }: Pick<SandboxRequest, 'method' | 'path'>) {
    const found = operations.filter((entry) => entry.method === method.toLowerCase() && entry.pattern.test(path))
    // "/listings/active" matches "/listings/{listing_id}" too, so the path with the fewest parameters wins.
    return found.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
  }

  return {
    operationOf: (request) => findOperation(request)?.operation.operationId ?? null,

    checkRequest(request) {
      const operation = findOperation(request)
      if (!operation) return null
      const inPath = operation.pattern.exec(request.path)?.groups ?? {}
      return [
        ...parameterFaults(operation.operation, inPath, request.query),
        ...(request.header ? headerFaults(operation.operation, request.header) : []),
        ...(request.header ? bodyFaults(operation.operation, request, request.header('content-type')) : []),
      ]
    },

    checkAnswer(operationId, status, body) {
      const answer = byId.get(operationId)?.responses[String(status)]
      if (!answer) return [`${operationId} has no answer ${status}`]
      const schema = Object.values(answer.content ?? {})[0]?.schema
      return schema ? faultsOf(schema, body, operationId) : []
    },

    scopesOf: (operationId) =>
      (byId.get(operationId)?.security ?? []).flatMap((requirement) => requirement.oauth2 ?? []),
  }

  function parameterFaults(operation: Operation, inPath: Record<string, string>, query: URLSearchParams): string[] {
    const faults = [...query.keys()]
      .filter((name) => !operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name))
      .map((name) => `${name} is no parameter of ${operation.operationId}`)
    for (const { name, in: place, required, schema } of operation.parameters) {
      if (place === 'header') continue
      const given = place === 'path' ? inPath[name] : query.getAll(name).at(-1)
      if (given === undefined && required) faults.push(`${name} is missing`)
      if (given !== undefined) faults.push(...faultsOf(schema, parameterOf(schema, given), name))
    }
    return faults
  }

  function headerFaults({ parameters }: Operation, header: SandboxRequest['header']): string[] {
    // The schemas of headers say nothing about encodings; the body is checked by its own schema.
    return parameters
      .filter(({ name, in: place, required }) => place === 'header' && required && header(name.toLowerCase()) === '')
      .map(({ name }) => `the header ${name} is missing`)
  }

  function bodyFaults({ requestBody }: Operation, request: CheckedRequest, contentType: string): string[] {
    const { body = '', bytes } = request
    if (body === '') return requestBody?.required ? ['the body is missing'] : []
    const described = Object.entries(requestBody?.content ?? {}).find(([type]) => contentType.startsWith(type))
    if (!described) return [`no body of ${contentType || 'no type'} is described`]
    const [type, { schema = {} }] = described
    const given = valueOfBody(type, contentType, { body, bytes }, schema.properties ?? {})
    return given === undefined ? [`the body is no ${type}`] : faultsOf(schema, given, 'body')
  }
}

/** Returns a body as values of its schema's types; undefined for a body of another type. */
function valueOfBody(
  type: string,
  contentType: string,
  { body, bytes }: { body: string; bytes: Buffer | undefined },
  properties: Record<string, Schema>,
): unknown {
  const typed = (pairs: Iterable<readonly [string, string]>) =>
    Object.fromEntries([...pairs].map(([name, text]) => [name, parameterOf(properties[name] ?? {}, text)]))
  if (type === 'application/x-www-form-urlencoded') return typed(new URLSearchParams(body))
  if (type === 'multipart/form-data') {
    const parts = readMultipart(contentType, bytes ?? Buffer.from(body))
    // The document describes a file's bytes as a string.
    return parts ? typed(parts.map((part) => [part.name, part.bytes.toString('latin1')] as const)) : undefined
  }
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Returns a path as a pattern with its parameters as named groups. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

/** Returns a parameter's text as a value of its schema's type. */
function parameterOf(schema: Schema, text: string): unknown {
  if (schema.type === 'array') {
    return text === '' ? [] : text.split(',').map((entry) => parameterOf(schema.items ?? {}, entry))
  }
  if (schema.type === 'integer' || schema.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function isOfType(type: string | undefined, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    case undefined:
      return true
    default:
      // The document's other types are named as in typeof.
      return typeof value === type
  }
}

const byLength = (a: string[], b: string[]) => a.length - b.length
