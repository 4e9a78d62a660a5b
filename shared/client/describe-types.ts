import { z } from 'zod'
import type { RouteDeclaration } from '../contract/declaring/route.ts'
import { Event } from '../contract/events.ts'
import { contract } from '../contract/index.ts'

interface Schema {
  format?: string
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  description?: string
}

type Direction = 'input' | 'output'

/** Returns TypeScript declarations of every operation's request and answer, for readers who have no zod. */
export function describeOperations(): string {
  const named = new Map<string, string>()
  const typeOf = (schema: z.ZodType, io: Direction) => {
    const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
    const print = printer(io)
    for (const [name, definition] of Object.entries(json.$defs ?? {})) named.set(nameOf(name, io), print(definition))
    return print(json)
  }
  const members = Object.entries<RouteDeclaration>(contract).map(([id, route]) => {
    const { params, query, body, replies } = route
    const request = [
      ...(params ? [`params: ${typeOf(params, 'input')}`] : []),
      ...(query ? [`query?: ${typeOf(query, 'input')}`] : []),
      ...(body ? [`body${body.safeParse(undefined).success ? '?' : ''}: ${typeOf(body, 'input')}`] : []),
    ]
    const answers = Object.values(replies).map((reply) => (reply ? typeOf(reply, 'output') : 'null'))
    const answer = [...new Set(answers)].join(' | ')
    return `  /** ${route.summary} */\n  ${id}: { request: { ${request.join('; ')} }; answer: ${answer} }`
  })
  // No operation need answer one, but webhooks send it.
  typeOf(Event, 'output')
  const types = [...named].map(([name, type]) => `export type ${name} = ${type}`)
  const operations = `export interface Operations {\n${members.join('\n')}\n}`
  return [...types, operations, 'export type OperationId = keyof Operations', ''].join('\n')
}

const nameOf = (name: string, io: Direction) => (io === 'input' ? `${name}Input` : name)

/** Returns what prints a schema as a type. Answers may have values that this version does not know. */
function printer(io: Direction): (schema: Schema) => string {
  const print = (schema: Schema): string => {
    if (schema.$ref) return nameOf(schema.$ref.split('/').at(-1)!, io)
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) {
      const values = schema.enum.map((value) => JSON.stringify(value))
      return [...values, ...(io === 'output' ? ['(string & {})'] : [])].join(' | ')
    }
    const either = schema.anyOf ?? schema.oneOf
    if (either) return either.map((each) => `(${print(each)})`).join(' | ')
    if (schema.allOf) return schema.allOf.map((each) => `(${print(each)})`).join(' & ')
    if (Array.isArray(schema.type)) return schema.type.map((type) => print({ ...schema, type })).join(' | ')
    if (schema.type === 'array') return `(${schema.items ? print(schema.items) : 'unknown'})[]`
    if (schema.type === 'object') return printObject(schema)
    if (schema.format === 'binary') return 'Blob | Uint8Array'
    const plain: Record<string, string> = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' }
    return schema.type === 'null' ? 'null' : (plain[schema.type ?? ''] ?? 'unknown')
  }
  const printObject = ({ properties = {}, required = [], additionalProperties }: Schema): string => {
    const members = Object.entries(properties).map(
      ([name, member]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${print(member)}`,
    )
    const isOpen = members.length === 0 && typeof additionalProperties === 'object'
    if (isOpen) return `Record<string, ${print(additionalProperties)}>`
    const isLoose = io === 'input' && additionalProperties !== false
    return `{ ${[...members, ...(isLoose ? ['[name: string]: unknown'] : [])].join('; ')} }`
  }
  return print
}
