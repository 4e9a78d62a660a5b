import type { Sent } from './draft.ts'

const mostTries = 60

/**
 * Removes body members, parameters and headers one by one while the request still fails. Returns the smallest request,
 * or null if it does not fail again.
 */
export async function shrink(sent: Sent, fails: (sent: Sent) => Promise<boolean>): Promise<Sent | null> {
  if (!(await fails(sent))) return null
  let smallest = sent
  let tries = 0
  const attempt = async (candidate: Sent): Promise<boolean> => {
    if (tries++ >= mostTries || !(await fails(candidate))) return false
    smallest = candidate
    return true
  }
  for (const name of Object.keys(sent.headers)) {
    const { [name]: _, ...headers } = smallest.headers
    await attempt({ ...smallest, headers })
  }
  const [path, query] = sent.target.split(/\?(.*)/s)
  for (const parameter of query?.split('&') ?? []) {
    const left =
      smallest.target
        .split(/\?(.*)/s)[1]
        ?.split('&')
        .filter((one) => one !== parameter) ?? []
    await attempt({ ...smallest, target: left.length > 0 ? `${path}?${left.join('&')}` : path! })
  }
  for (let again = true; again && tries < mostTries; ) {
    again = false
    for (const text of smallerBodies(smallest.body)) {
      if (await attempt({ ...smallest, body: Buffer.from(text) })) {
        again = true
        break
      }
    }
  }
  return smallest
}

/** Returns variants of the body without one member, or with half of a text. */
function smallerBodies(body: Buffer | undefined): string[] {
  let value: unknown
  try {
    value = JSON.parse(body?.toString() ?? '')
  } catch {
    return []
  }
  const found: string[] = []
  const visit = (holder: unknown) => {
    if (holder === null || typeof holder !== 'object') return
    for (const key of Object.keys(holder)) {
      const members = holder as Record<string, unknown>
      const kept = members[key]
      if (Array.isArray(holder)) {
        const at = Number(key)
        holder.splice(at, 1)
        found.push(JSON.stringify(value))
        holder.splice(at, 0, kept)
      } else {
        members[key] = undefined
        found.push(JSON.stringify(value))
        members[key] = kept
      }
      if (typeof kept === 'string' && kept.length > 20) {
        members[key] = kept.slice(0, kept.length / 2).toWellFormed()
        found.push(JSON.stringify(value))
        members[key] = kept
      }
      visit(kept)
    }
  }
  visit(value)
  return found
}
