import { z } from 'zod'

/** Parameters, with `name=value` for listed values, and members of the body that an adapter sends in a call. */
export const SentCall = z.strictObject({ parameters: z.array(z.string()), body: z.array(z.string()) })
export type SentCall = z.output<typeof SentCall>

/** By the id of the operation. */
export const Sent = z.record(z.string(), SentCall)
export type Sent = z.output<typeof Sent>

/** Returns the members of a JSON value: `listingPolicies.paymentPolicyId`. Of `whole` members nothing within is named. */
export function membersOf(value: unknown, whole: readonly string[] = [], at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => membersOf(entry, whole, `${at}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === '' ? name : `${at}.${name}`
    return [path, ...(whole.includes(name) ? [] : membersOf(member, whole, path))]
  })
}
