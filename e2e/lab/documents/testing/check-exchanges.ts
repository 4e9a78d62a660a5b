import { Ajv, type ValidateFunction } from 'ajv'
import type { Exchange } from '#server/integrations/testing/watch-fetch.ts'
import { answerOf, type Described, type FoundOperation, operationsOf, type Schema } from '../schema.ts'
import { membersOf, type SentCall } from '../sent.ts'

export interface CheckedExchange {
  /** Null if the document has no such operation. */
  operation: string | null
  faults: string[]
  sent: SentCall
}

/**
 * Creates a checker of exchanges against a document, with ajv. It checks parameters, required headers, bodies and
 * successful answers. An undocumented member is a fault. `loose` members are not checked.
 */
export function createChecker(
  document: Described,
  loose: readonly string[] = [],
): (exchange: Exchange) => Promise<CheckedExchange> {
  const found = [...operationsOf(document).values()].map((one) => ({ ...one, pattern: patternOf(one.path) }))
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, strictOf(schema)]),
  )
  const exact = new Ajv({ strict: false, allErrors: true }).addSchema({ $id: 'api', components: { schemas } })
  // Numbers and booleans in URLs and forms are text.
  const coercing = new Ajv({ strict: false, allErrors: true, coerceTypes: true }).addSchema({
    $id: 'api',
    components: { schemas },
  })
  const validators = new Map<object, ValidateFunction>()

  function faultsOf(ajv: Ajv, schema: Schema, value: unknown, at: string): string[] {
    const validate = validators.get(schema) ?? ajv.compile(strictOf(schema))
    validators.set(schema, validate)
    if (validate(value)) return []
    // Each alternative reports its own error, so the summary of `anyOf` is dropped.
    const errors = (validate.errors ?? []).filter(
      ({ keyword, params }) => keyword !== 'anyOf' && params.type !== 'null',
    )
    return errors.map(({ instancePath, message, params }) =>
      [`${at}${instancePath} ${message}`, params.additionalProperty].filter(Boolean).join(': '),
    )
  }

  return async (exchange) => {
    const matching = found.filter(({ method, pattern }) => method === exchange.method && pattern.test(exchange.path))
    // "/listings/batch" matches "/listings/{listing_id}" too. The path with the fewest parameters wins.
    const [one] = matching.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
    if (!one) {
      const fault = `${exchange.method} ${exchange.path} is not kept: add it to calls.ts and keep its document again`
      return { operation: null, faults: [fault], sent: { parameters: [], body: [] } }
    }
    const { operation } = one
    const body = await bodyOf(exchange)
    const answer = answerOf(operation)
    const isSuccess = exchange.status >= 200 && exchange.status < 300
    const isDescribed = String(exchange.status) in operation.responses
    return {
      operation: operation.operationId,
      faults: [
        ...parameterFaults(one, exchange),
        ...bodyFaults(one, exchange, body),
        ...(isDescribed ? [] : [`no answer ${exchange.status} is described`]),
        ...(isSuccess && answer && exchange.answer !== undefined
          ? faultsOf(exact, answer, exchange.answer, 'answer')
          : []),
      ],
      sent: { parameters: parametersSent(operation, exchange), body: membersOf(body, loose) },
    }
  }

  function parameterFaults({ operation, pattern }: FoundOperation & { pattern: RegExp }, exchange: Exchange): string[] {
    const inPath: Record<string, string> = pattern.exec(exchange.path)?.groups ?? {}
    const faults: string[] = []
    for (const { name, in: place, required } of operation.parameters) {
      // Node's client sets Accept-Encoding itself.
      if (place !== 'header' || !required || name === 'Accept-Encoding') continue
      if (!exchange.header?.(name)) faults.push(`the header ${name} is missing`)
    }
    for (const place of ['path', 'query'] as const) {
      const described = operation.parameters.filter((parameter) => parameter.in === place)
      const given = place === 'path' ? Object.entries(inPath) : [...exchange.query.entries()]
      const schemaOf = (name: string) => described.find((parameter) => parameter.name === name)?.schema
      const value = Object.fromEntries(given.map(([name, text]) => [name, listOf(schemaOf(name), text)]))
      const schema = placeSchema(operation, place)
      faults.push(...faultsOf(coercing, schema, value, place))
    }
    return faults
  }

  function placeSchema(operation: FoundOperation['operation'], place: 'path' | 'query'): Schema {
    const described = operation.parameters.filter((parameter) => parameter.in === place)
    return {
      type: 'object',
      properties: Object.fromEntries(described.map(({ name, schema }) => [name, schema])),
      required: described.filter(({ required }) => required).map(({ name }) => name),
    }
  }

  function bodyFaults({ operation }: FoundOperation, exchange: Exchange, body: unknown): string[] {
    const { requestBody } = operation
    if (body === undefined) return requestBody?.required ? ['the body is missing'] : []
    const type = exchange.header?.('content-type') ?? ''
    const described = Object.entries(requestBody?.content ?? {}).find(([one]) => type.startsWith(one))
    if (!described) return [`no body of ${type || 'no type'} is described`]
    const [, { schema }] = described
    if (!schema) return []
    if (type.startsWith('application/json')) return faultsOf(exact, schema, body, 'body')
    const given = Object.entries(body as Record<string, string>)
    const typed = given.map(([name, text]) => [name, listOf(schema.properties?.[name], text)])
    return faultsOf(coercing, schema, Object.fromEntries(typed), 'body')
  }
}

/** Converts a schema to JSON Schema that refuses unknown members. */
function strictOf(schema: Schema): object {
  const { nullable, items, oneOf, anyOf, allOf, properties, $ref, required, ...plain } = schema
  const alternatives = [...(oneOf ?? []), ...(anyOf ?? [])]
  const strict: Record<string, unknown> = {
    ...plain,
    ...($ref === undefined ? {} : { $ref: `api${$ref}` }),
    ...(items ? { items: strictOf(items) } : {}),
    ...(alternatives.length > 0 ? { anyOf: alternatives.map(strictOf) } : {}),
    ...(allOf ? { allOf: allOf.map(strictOf) } : {}),
    ...(required && required.length > 0 ? { required } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, strictOf(one)])),
          additionalProperties: false,
        }
      : {}),
  }
  return nullable ? { anyOf: [{ type: 'null' }, strict] } : strict
}

/** Returns the query's parameter names, and `name=value` if the document lists the values. */
function parametersSent({ parameters }: FoundOperation['operation'], { query }: Exchange): string[] {
  return [...query].flatMap(([name, text]) => {
    const schema = parameters.find((parameter) => parameter.in === 'query' && parameter.name === name)?.schema
    const isListed = (schema?.enum ?? schema?.items?.enum) !== undefined
    return [name, ...(isListed ? [listOf(schema, text)].flat().map((value) => `${name}=${value}`) : [])]
  })
}

/** Splits a list, which is one value with commas. */
const listOf = (schema: Schema | undefined, text: string) => (schema?.type === 'array' ? text.split(',') : text)

/** Parses a body; undefined if there is none. */
async function bodyOf({ bytes, header }: Exchange): Promise<unknown> {
  if (!bytes || bytes.length === 0) return undefined
  const type = header?.('content-type') ?? ''
  if (type.startsWith('application/json')) return JSON.parse(bytes.toString())
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  return Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
