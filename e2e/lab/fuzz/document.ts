import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** The parts of a JSON schema that the generator uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  schema: Schema
}

/** An operation of the document. */
export interface Operation {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  body?: { type: string; schema: Schema }
  credentials: readonly ('bearer' | 'apiKey')[]
  /** Content types by status; empty for an answer without a body. */
  answers: ReadonlyMap<number, readonly string[]>
  /** True for a page of the browser. */
  isPage: boolean
}

interface RawAnswer {
  $ref?: string
  content?: Record<string, { schema: Schema }>
}
interface RawOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, RawAnswer>
  security?: Record<string, unknown>[]
}
interface RawDocument {
  paths: Record<string, Record<string, RawOperation>>
}

/** A parsed document: its operations, and checks of bodies against their schemas. */
export interface ApiDocument {
  operations: Operation[]
  /** Returns the schema of a reference. */
  resolve(schema: Schema): Schema
  /** Returns the faults of an answer's body. */
  answerFaults(operation: Operation, status: number, type: string, body: unknown): string[]
  /** Returns false if the document refuses the request body. */
  acceptsBody(operation: Operation, body: unknown): boolean
}

/** Parses a server's document. Throws if it is not an OpenAPI 3.1 document. */
export function readDocument(text: string): ApiDocument {
  const raw = JSON.parse(text) as RawDocument
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(raw, 'api')
  const checks = new Map<string, ValidateFunction>()
  const check = (pointer: readonly string[]): ValidateFunction => {
    const $ref = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    const known = checks.get($ref) ?? ajv.compile({ $ref })
    checks.set($ref, known)
    return known
  }
  const at = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (holder, part) => (holder as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
        raw,
      )
  const resolve = <Found extends { $ref?: string }>(found: Found): Found =>
    found.$ref ? resolve(at(found.$ref) as Found) : found

  const operations = Object.entries(raw.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const answers = new Map(
        Object.entries(operation.responses).map(([status, answer]) => [
          Number(status),
          Object.keys(resolve(answer).content ?? {}),
        ]),
      )
      const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        ...(type && content ? { body: { type, schema: content.schema } } : {}),
        credentials: (operation.security ?? []).flatMap((one) => Object.keys(one) as ('bearer' | 'apiKey')[]),
        answers,
        isPage: [...answers.values()].some((types) => types.includes('text/html')),
      }
    }),
  )
  const pointerOf = ({ path, method }: Operation) => ['paths', path, method.toLowerCase()]
  return {
    operations,
    resolve,
    answerFaults(operation, status, type, body) {
      const answer = raw.paths[operation.path]![operation.method.toLowerCase()]!.responses[status]!
      const pointer = answer.$ref
        ? answer.$ref.split('/').slice(1)
        : [...pointerOf(operation), 'responses', String(status)]
      const validate = check([...pointer, 'content', type, 'schema'])
      if (validate(body)) return []
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`)
    },
    acceptsBody({ body, ...operation }, value) {
      if (!body) return true
      return check([...pointerOf(operation), 'requestBody', 'content', body.type, 'schema'])(value)
    },
  }
}
