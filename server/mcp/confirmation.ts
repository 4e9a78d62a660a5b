import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Config, hashKeyOf } from '#server/config.ts'
import { deriveBytes } from '#server/infra/crypto/encrypt.ts'

/** Seconds in which a preview can be confirmed. */
export const confirmationSeconds = 300

/** A call of a tool by the holder of a key. */
export interface PlannedCall {
  key_id: string
  tool: string
  arguments: Readonly<Record<string, unknown>>
}

/** Returns a token that confirms this call and no other, for five minutes. Nothing is stored. */
export function confirmationOf(config: Config, call: PlannedCall, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + confirmationSeconds
  return `${expires}.${macOf(config, call, expires).toString('base64url')}`
}

/** Returns whether a token confirms this call and has not expired. */
export function isConfirmed(config: Config, call: PlannedCall, token: string, now: Date): boolean {
  const [expires = '', mac = ''] = token.split('.')
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < now.getTime()) return false
  const [given, wanted] = [Buffer.from(mac, 'base64url'), macOf(config, call, Number(expires))]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function macOf(config: Config, call: PlannedCall, expires: number): Buffer {
  const signed = JSON.stringify([call.key_id, call.tool, sorted(call.arguments), expires])
  return createHmac('sha256', deriveBytes(hashKeyOf(config), 'mcp-confirmation'))
    .update(signed)
    .digest()
}

/** Orders members by name, since a client may send the same arguments in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, member]) => [name, sorted(member)])
}
