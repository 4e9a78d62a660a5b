import { z } from 'zod'

/** Answers that do not match after this many rounds are no answers of a newer server. Each round reaches a level deeper. */
const maxRounds = 10

/**
 * Parses an answer of this release or a newer one. Ignores what this release does not know: members are removed, a list
 * loses the element that has an unknown value, and an unknown value elsewhere stays. Returns null for anything else that
 * does not match.
 */
export function parseAnswer<T>(schema: z.ZodType<T>, body: unknown): { data: T } | null {
  const known: unknown = structuredClone(body)
  for (let round = 0; round < maxRounds; round++) {
    const parsed = z.safeParse(schema, known)
    if (parsed.success) return { data: parsed.data }
    const parts = parsed.error.issues.map((issue) => unknownPart(issue, known))
    if (!parts.every((part) => part !== null)) return null
    if (!removeParts(known, parts)) return { data: known as T }
  }
  return null
}

type Path = readonly PropertyKey[]

interface Unknown {
  path: Path
  /** Unknown members of the object at `path`; null if the value itself is unknown. */
  members: string[] | null
}

/** Returns what a newer server may have added, or null if the answer is wrong. */
function unknownPart(issue: z.core.$ZodIssue, body: unknown): Unknown | null {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') return { path, members: issue.keys }
  const value = valueAt(body, path)
  // A missing value, or one of another type, is a fault.
  if (issue.code === 'invalid_value') {
    return issue.values.some((one) => typeof one === typeof value) ? { path, members: null } : null
  }
  if (issue.code !== 'invalid_union') return null
  if (issue.errors.length === 0) return typeof value === 'string' ? { path, members: null } : null
  for (const branch of issue.errors) {
    const parts = branch.map((each) => unknownPart(each, value))
    if (parts[0] && parts.every((part) => part !== null)) return { ...parts[0], path: [...path, ...parts[0].path] }
  }
  return null
}

/** Removes unknown parts from an answer. Returns whether there was anything to remove. */
function removeParts(body: unknown, parts: Unknown[]): boolean {
  const elements = new Map<string, Path>()
  let isChanged = false
  for (const { path, members } of parts) {
    for (const member of members ?? []) isChanged = Reflect.deleteProperty(Object(valueAt(body, path)), member)
    const element = members ? null : elementOf(body, path)
    if (element) elements.set(JSON.stringify(element), element)
  }
  // From the last one, so that the places of the others stay.
  for (const element of [...elements.values()].sort(comparePaths).reverse()) {
    const list = valueAt(body, element.slice(0, -1))
    if (Array.isArray(list)) list.splice(Number(element.at(-1)), 1)
  }
  return isChanged || elements.size > 0
}

/** Returns the path of the innermost list element that contains a value. */
function elementOf(body: unknown, path: Path): Path | null {
  for (let length = path.length; length > 0; length--) {
    if (Array.isArray(valueAt(body, path.slice(0, length - 1)))) return path.slice(0, length)
  }
  return null
}

const valueAt = (body: unknown, path: Path): unknown =>
  path.reduce<unknown>((owner, member) => Object(owner)[member], body)

function comparePaths(one: Path, other: Path): number {
  const place = one.findIndex((member, index) => member !== other[index])
  if (place < 0) return one.length - other.length
  return typeof one[place] === 'number'
    ? one[place] - Number(other[place] ?? -1)
    : String(one[place]) < String(other[place])
      ? -1
      : 1
}
