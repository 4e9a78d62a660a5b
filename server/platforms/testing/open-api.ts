import { z } from 'zod'

/*
 * A platform's published OpenAPI 3 document, as far as it binds requests and answers, to hold adapter and sandbox against.
 * The documents themselves are not part of this repository.
 */

interface Schema {
  $ref?: string | undefined
  type?: string | undefined
  nullable?: boolean | undefined
  enum?: unknown[] | undefined
  items?: Schema | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
}
const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.string().optional(),
    nullable: z.boolean().optional(),
    enum: z.array(z.unknown()).optional(),
    items: Schema.optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
  }),
)

const Content = z.record(z.string(), z.object({ schema: Schema.optional() })).optional()
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() })).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })),
})
type Operation = z.infer<typeof Operation>

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

/** An exchange as it went over the wire; bodies parsed. */
export interface SeenExchange {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  contentType: string
  body: unknown
  status: number
  answer: unknown
}

export interface OpenApi {
  /** What the document does not allow; null when no operation of it is meant. */
  check(exchange: SeenExchange): { operationId: string; faults: string[] } | null
}

/** Checks by a parsed document. `basePath` stands before its paths; `overrides` say better what it says wrongly. */
export function readOpenApi(json: unknown, options: { basePath?: string; loose?: readonly string[] } = {}): OpenApi {
  const { paths, components } = Document.parse(json)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, raw]) => {
      const operation = Operation.safeParse(raw)
      const pattern = new RegExp(`^${(options.basePath ?? '') + path.replace(/\{(\w+)\}/g, '([^/]+)')}$`)
      return operation.success ? [{ path, method, pattern, operation: operation.data }] : []
    }),
  )

  function faultsOf(schema: Schema, value: unknown, at: string): string[] {
    if (options.loose?.some((name) => at.endsWith(`.${name}`))) return []
    if (schema.$ref) return faultsOf(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, value, at)
    if (value === null) return schema.nullable ? [] : [`${at} is null`]
    if (!isOfType(schema.type, value)) return [`${at} is no ${schema.type}`]
    const faults = schema.enum && !schema.enum.includes(value) ? [`${at} is "${String(value)}"`] : []
    const { items, properties } = schema
    if (Array.isArray(value) && items)
      faults.push(...value.flatMap((entry, index) => faultsOf(items, entry, `${at}.${index}`)))
    if (isObject(value) && properties) {
      for (const name of schema.required ?? []) if (!(name in value)) faults.push(`${at}.${name} is missing`)
      for (const [name, member] of Object.entries(value)) {
        const known = properties[name]
        faults.push(...(known ? faultsOf(known, member, `${at}.${name}`) : [`${at}.${name} is not known`]))
      }
    }
    return faults
  }

  const schemaOf = (content: z.infer<typeof Content>, type: string) =>
    Object.entries(content ?? {}).find(([name]) => type.startsWith(name))?.[1].schema

  function requestFaults(operation: Operation, seen: SeenExchange): string[] {
    const faults = [...seen.query.keys()]
      .filter((name) => !operation.parameters.some((known) => known.in === 'query' && known.name === name))
      .map((name) => `${name} is no parameter`)
    for (const { name, in: place, required } of operation.parameters) {
      if (!required) continue
      if (place === 'query' && !seen.query.has(name)) faults.push(`${name} is missing`)
      if (place === 'header' && !seen.headers.has(name)) faults.push(`the header ${name} is missing`)
    }
    if (seen.body === undefined) return operation.requestBody ? [...faults, 'the body is missing'] : faults
    const schema = schemaOf(operation.requestBody?.content, seen.contentType)
    return [
      ...faults,
      ...(schema ? faultsOf(schema, seen.body, 'body') : [`no body of ${seen.contentType} is allowed`]),
    ]
  }

  return {
    check(seen) {
      const found = operations.filter(
        ({ method, pattern }) => method === seen.method.toLowerCase() && pattern.test(seen.path),
      )
      // "/listings/active" fits "/listings/{listing_id}" too: the path with the fewest parameters is meant.
      const [meant] = found.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
      if (!meant) return null
      const { operation } = meant
      const answer = operation.responses[String(seen.status)]
      const faults = requestFaults(operation, seen)
      if (!answer) faults.push(`the answer ${seen.status} is not known`)
      const schema = seen.status < 300 ? Object.values(answer?.content ?? {})[0]?.schema : undefined
      if (schema && seen.answer !== undefined) faults.push(...faultsOf(schema, seen.answer, 'answer'))
      return { operationId: operation.operationId, faults }
    },
  }
}

function isOfType(type: string | undefined, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string'
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return true
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A fetch that remembers what went over the wire. */
export function watchFetch(seen: SeenExchange[]): (url: string, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const request = new Request(url, init)
    const { pathname, searchParams } = new URL(url)
    const contentType = request.headers.get('content-type') ?? ''
    const body = await readBody(request.clone(), contentType)
    const response = await fetch(url, init)
    seen.push({
      method: request.method,
      path: pathname,
      query: searchParams,
      headers: request.headers,
      contentType,
      body,
      status: response.status,
      answer: await readJson(response.clone()),
    })
    return response
  }
}

async function readBody(request: Request, contentType: string): Promise<unknown> {
  if (contentType.startsWith('multipart/form-data')) {
    return Object.fromEntries([...(await request.formData())].map(([name, value]) => [name, typedOf(value)]))
  }
  const text = await request.text()
  if (text === '') return undefined
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, typedOf(value)]))
  }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A form knows texts only: what looks like a number or a truth value is one. */
function typedOf(value: unknown): unknown {
  if (typeof value !== 'string') return 'binary'
  if (value === 'true' || value === 'false') return value === 'true'
  return /^\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    // An empty or foreign body: nothing to check.
    return undefined
  }
}
