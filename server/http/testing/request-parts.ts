import { z } from 'zod'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { newId } from '#shared/identity.ts'

const candidates = [
  'ebay',
  ...(
    [
      'key',
      'job',
      'itm',
      'inv',
      'img',
      'sel',
      'blk',
      'chg',
      'chk',
      'tsk',
      'ord',
      'whk',
      'evt',
      'alm',
      'ses',
      'psk',
      'mal',
      'viw',
    ] as const
  ).map(newId),
  // Sales have numbers.
  '999999999999999999',
  // Subscriptions of push notifications have the hash of their address.
  'A'.repeat(43),
]

/** Returns the path with a well-formed but unknown value for every parameter. */
export function pathOf(route: RouteDeclaration): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = route.params!.shape[name] as z.ZodType
    const value = candidates.find((candidate) => schema.safeParse(candidate).success)
    if (!value) throw new Error(`no value is known for {${name}} of ${route.path}`)
    return value
  })
}

/** Returns the top-level members that a body may have. */
export function membersOf(route: RouteDeclaration): string[] {
  const schema = z.toJSONSchema(route.body!, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, unknown>
  }
  return Object.keys(schema.properties ?? {})
}
