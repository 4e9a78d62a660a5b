import { describe, expect, it } from 'vitest'
import { connectionPages } from '#shared/contract/connections.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract, webhooks } from '#shared/contract/index.ts'
import { openApiDocument } from './openapi.ts'

interface Media {
  example?: unknown
}
interface Operation {
  operationId: string
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
interface Node {
  [name: string]: unknown
}

const routes: Record<string, RouteDeclaration> = { ...contract, ...connectionPages, ...webhooks }
const document = openApiDocument(routes, 'http://hapax.test') as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Node> }
}
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

describe('the examples of the document', () => {
  it.each(operations.map((operation) => [operation.operationId, operation] as const))('fit %s', (id, operation) => {
    const route = routes[id]!
    const [body] = Object.values(operation.requestBody?.content ?? {})
    // The bytes of a file cannot be shown.
    if (route.body && route.bodyType !== 'image')
      expect(route.body.safeParse(body?.example).error?.issues ?? []).toEqual([])
    for (const [status, schema] of Object.entries(route.replies)) {
      const media = operation.responses[status]?.content?.['application/json']
      if (schema === null || !media) continue
      expect(media.example).toBeDefined()
      expect(schema.safeParse(media.example).error?.issues ?? []).toEqual([])
    }
  })
})

describe('the members of the document', () => {
  it('are all described', () => {
    const bare = new Set<string>()
    collect(document.paths, bare)
    collect(document.components.schemas, bare)
    expect([...bare]).toEqual([])
  })
})

/** Collects the names of members and parameters without a description. */
function collect(value: unknown, bare: Set<string>): void {
  if (Array.isArray(value)) for (const entry of value) collect(entry, bare)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const { example: _, properties, name, ...rest } = value as Node
  for (const [member, schema] of Object.entries((properties ?? {}) as Record<string, Node>)) {
    if (!schema.description && !schema.$ref) bare.add(member)
  }
  if (typeof name === 'string' && 'in' in rest && !rest.description) bare.add(name)
  for (const entry of Object.values(rest)) collect(entry, bare)
  collect(Object.values((properties ?? {}) as object), bare)
}
