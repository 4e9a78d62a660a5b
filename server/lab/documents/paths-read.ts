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
 * Returns the members that a schema reads of an answer: `offers[].listing.listingId`. `output` reads the schema behind a
 * preprocessing step, which has no shape of its own.
 */
export function pathsRead(schema: z.ZodType, io: 'input' | 'output' = 'input'): string[] {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  const found = new Set<string>()
  collect(root, '', [])
  return [...found].sort()

  function collect(node: JsonSchema, path: string, above: readonly string[]): void {
    if (node.$ref !== undefined) {
      // A tree names itself: once through is enough.
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
