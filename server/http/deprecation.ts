import type Koa from 'koa'
import { z } from 'zod'
import type { Deprecation, RouteDeclaration } from '#shared/contract/route.ts'

/** Something deprecated of an operation, by its path in the request: `['query', 'sort']`; empty for the operation itself. */
interface Deprecated extends Deprecation {
  path: readonly string[]
}

/** Returns what the declaration marks as deprecated. */
export function deprecationsOf({ deprecated, query, body }: RouteDeclaration): Deprecated[] {
  return [
    ...(deprecated ? [{ path: [], ...deprecated }] : []),
    ...(query ? deprecatedMembers(query, ['query']) : []),
    ...(body ? deprecatedMembers(body, ['body']) : []),
  ]
}

function deprecatedMembers(schema: z.ZodType, path: readonly string[]): Deprecated[] {
  const deprecation = schema.meta()?.['x-deprecation'] as Deprecation | undefined
  if (deprecation) return [{ path, ...deprecation }]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return deprecatedMembers(schema.unwrap() as z.ZodType, path)
  }
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).flatMap(([name, member]) => deprecatedMembers(member, [...path, name]))
}

/**
 * Sets `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` where the request uses something deprecated: the dates of
 * what ends first, and a link for each.
 */
export function announceDeprecations(ctx: Koa.Context, deprecations: readonly Deprecated[], input: object): void {
  if (deprecations.length === 0) return
  const used = deprecations.filter(({ path }) => valueAt(input, path) !== undefined)
  const [first] = used.toSorted((one, other) => one.sunset.localeCompare(other.sunset))
  if (!first) return
  ctx.set('Deprecation', `@${Date.parse(first.since) / 1_000}`)
  ctx.set('Sunset', new Date(first.sunset).toUTCString())
  const links = new Set(used.map(({ link }) => `<${link}>; rel="deprecation"; type="text/html"`))
  ctx.append('Link', [...links])
}

const valueAt = (input: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((owner, name) => Object(owner)[name], input)

/** Returns a sentence for readers of the reference. */
export const aboutDeprecation = ({ since, sunset, link }: Deprecation): string =>
  `Deprecated since ${since}, and ends on ${sunset} at the earliest: [what to use instead](${link}).`
