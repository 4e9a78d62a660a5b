import { z } from 'zod'

/** Parameters (`name=value` for listed values) and body members that an adapter sends in a call. */
export const SentCall = z.strictObject({ parameters: z.array(z.string()), body: z.array(z.string()) })
export type SentCall = z.output<typeof SentCall>

/** Calls by operation id. */
export const Sent = z.record(z.string(), SentCall)
export type Sent = z.output<typeof Sent>

/** Returns the members of a JSON value: `listingPolicies.paymentPolicyId`. Members in `whole` are not expanded. */
export function membersOf(value: unknown, whole: readonly string[] = [], at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => membersOf(entry, whole, `${at}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === '' ? name : `${at}.${name}`
    return [path, ...(whole.includes(name) ? [] : membersOf(member, whole, path))]
  })
}
