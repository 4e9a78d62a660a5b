import { z } from 'zod'

/** The parts of an OpenAPI 3.0 schema that the platforms' documents use. */
export interface Schema {
  $ref?: string | undefined
  type?: string | undefined
  nullable?: boolean | undefined
  enum?: unknown[] | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  items?: Schema | undefined
  oneOf?: Schema[] | undefined
  anyOf?: Schema[] | undefined
  allOf?: Schema[] | undefined
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
    anyOf: z.array(Schema).optional(),
    allOf: z.array(Schema).optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
  }),
)

const Content = z.record(z.string(), z.object({ schema: Schema.optional() })).default({})

const Operation = z.object({
  operationId: z.string(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema: Schema }))
    .default([]),
  requestBody: z.object({ required: z.boolean().optional(), content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })).default({}),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
})
export type Operation = z.output<typeof Operation>

/** Operations with their schemas. */
export const Described = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})
export type Described = z.output<typeof Described>

/** The kept part of a document: the operations that an adapter calls, and their source. */
export const KeptDocument = Described.extend({
  /** Repository and commit, or address, of the whole document. */
  source: z.string(),
  version: z.string(),
  /** Ids of all operations of the whole document. */
  operations: z.array(z.string()),
})
export type KeptDocument = z.output<typeof KeptDocument>

export interface FoundOperation {
  method: string
  path: string
  operation: Operation
}

/** Returns the operations of a document by their ids. */
export function operationsOf({ paths }: Described): Map<string, FoundOperation> {
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { method: method.toUpperCase(), path, operation },
      ]),
    ),
  )
}

/** Returns the schema of a successful answer; undefined for one without a body. */
export function answerOf({ responses }: Operation): Schema | undefined {
  const success = Object.entries(responses).filter(([status]) => /^2/.test(status))
  return success.flatMap(([, { content }]) => Object.values(content))[0]?.schema
}

/** Returns the list of an entry: `offers` for `offers[]`. */
export function withoutBrackets(path: string): string {
  return path.endsWith('[]') ? withoutBrackets(path.slice(0, -2)) : path
}

/** Returns the schema of a member such as `offers[].listing`; undefined if the document has none. */
export function memberAt(document: Described, schema: Schema | undefined, path: string): Schema | undefined {
  const steps = path.split('.').flatMap((name) => {
    const bare = withoutBrackets(name)
    return [bare, ...Array<string>((name.length - bare.length) / 2).fill('[]')].filter((step) => step !== '')
  })
  return steps.reduce<Schema | undefined>((at, step) => at && memberOf(document, at, step), schema)
}

function memberOf(document: Described, schema: Schema, step: string): Schema | undefined {
  const plain = resolve(document, schema)
  const parts = [...(plain.oneOf ?? []), ...(plain.anyOf ?? []), ...(plain.allOf ?? [])]
  if (parts.length > 0) return parts.map((one) => memberOf(document, one, step)).find((found) => found !== undefined)
  return step === '[]' ? plain.items : plain.properties?.[step]
}

/** Resolves references, and unwraps a single alternative, which documents use around references. */
export function resolve(document: Described, schema: Schema): Schema {
  const { oneOf, anyOf, allOf } = schema
  const [only, ...others] = [...(oneOf ?? []), ...(anyOf ?? []), ...(allOf ?? [])]
  if (only && others.length === 0) {
    const inner = resolve(document, only)
    return schema.nullable ? { ...inner, nullable: true } : inner
  }
  if (schema.$ref === undefined) return schema
  return resolve(document, document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
}
