type Schema = Record<string, unknown>

interface ApiDocument {
  paths: Record<string, Record<string, Schema>>
  webhooks: Record<string, Record<string, Schema>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Schema> }
}

/**
 * Returns the facts of an OpenAPI document that programs rely on, by operation and schema: credentials, parameters,
 * members with their types and bounds, media types, status and error codes. Prose and response headers are left out.
 */
export function apiSurface(document: object): Map<string, string[]> {
  const { paths, webhooks, components } = document as ApiDocument
  const surface = new Map<string, string[]>()
  for (const [prefix, items] of [['', paths] as const, ['event ', webhooks] as const]) {
    for (const [path, methods] of Object.entries(items)) {
      for (const [method, operation] of Object.entries(methods)) {
        surface.set(`${prefix}${method.toUpperCase()} ${path}`, factsOfOperation(operation, components.responses))
      }
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) surface.set(`schema ${name}`, factsOf('', schema))
  return surface
}

function factsOfOperation(operation: Schema, shared: Record<string, Schema>): string[] {
  const body = operation.requestBody as Schema | undefined
  return [
    `id ${operation.operationId}`,
    ...((operation.security ?? []) as object[]).flatMap(Object.keys).map((name) => `credential ${name}`),
    ...((operation.parameters ?? []) as Schema[]).flatMap((parameter) =>
      factsOf(`${parameter.in} ${parameter.name}${parameter.required ? '!' : ''}`, parameter.schema as Schema),
    ),
    ...(body ? factsOfContent('body', body) : []),
    ...Object.entries(operation.responses as Record<string, Schema>).flatMap(([status, response]) => {
      const resolved = response.$ref ? shared[nameOf(response)]! : response
      const codes = [...String(resolved.description).matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`)
      return codes.length > 0 ? codes : [status, ...factsOfContent(status, resolved)]
    }),
  ]
}

function factsOfContent(at: string, { content = {} }: { content?: unknown }): string[] {
  return Object.entries(content as Record<string, { schema: Schema }>).flatMap(([type, { schema }]) =>
    factsOf(`${at} ${type.replace('application/json', 'json')}`, schema),
  )
}

const prose = ['description', 'title', 'example', 'examples', 'id']
const nested = ['enum', 'properties', 'required', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']

function factsOf(at: string, schema: Schema): string[] {
  if (schema.$ref) return [`${at} ${nameOf(schema)}`]
  const own = Object.entries(schema).filter(([name]) => !prose.includes(name) && !nested.includes(name))
  const required = new Set(schema.required as string[] | undefined)
  const { additionalProperties: rest } = schema
  return [
    ...own.map(([name, value]) => `${at} ${name} ${JSON.stringify(value)}`.trimStart()),
    ...((schema.enum ?? []) as unknown[]).map((value) => `${at} = ${JSON.stringify(value)}`.trimStart()),
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, member]) =>
      factsOf(`${at}.${name}${required.has(name) ? '!' : ''}`, member),
    ),
    ...(schema.items ? factsOf(`${at}[]`, schema.items as Schema) : []),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((kind) =>
      ((schema[kind] ?? []) as Schema[]).flatMap((one) => factsOf(`${at} ${kind}`, one)),
    ),
    ...(typeof rest === 'object' && rest !== null ? factsOf(`${at}.*`, rest as Schema) : []),
    ...(rest === false ? [`${at} closed`.trimStart()] : []),
  ]
}

const nameOf = ({ $ref }: Schema) => String($ref).split('/').at(-1)!
