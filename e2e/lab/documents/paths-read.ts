import { z } from 'zod'

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/**
 * Returns the members of an answer that a schema reads, such as `offers[].listing.listingId`. Use `output` for schemas
 * with a preprocessing step, which have no input shape.
 */
export function pathsRead(schema: z.ZodType, io: 'input' | 'output' = 'input'): string[] {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  const found = new Set<string>()
  collect(root, '', [])
  return [...found].sort()

  function collect(node: JsonSchema, path: string, above: readonly string[]): void {
    if (node.$ref !== undefined) {
      // Visit a recursive schema only once.
      if (above.includes(node.$ref)) return
      const name = node.$ref.split('/').at(-1) ?? ''
      collect(node.$ref === '#' ? root : (root.$defs?.[name] ?? {}), path, [...above, node.$ref])
      return
    }
    for (const one of [...(node.anyOf ?? []), ...(node.allOf ?? []), ...(node.oneOf ?? [])]) collect(one, path, above)
    if (node.items) collect(node.items, `${path}[]`, above)
    for (const [name, member] of Object.entries(node.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`
      found.add(at)
      collect(member, at, above)
    }
  }
}
