import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Config, hashKeyOf } from '#server/config.ts'
import { deriveBytes } from '#server/infra/crypto/encrypt.ts'

/** Seconds in which a preview can be confirmed. */
export const confirmationSeconds = 300

/** A call of a tool by the holder of a key. */
interface PlannedCall {
  key_id: string
  tool: string
  arguments: Readonly<Record<string, unknown>>
}

/** Returns a token that confirms this call after this preview and nothing else, for five minutes. Nothing is stored. */
export function confirmationOf(config: Config, call: PlannedCall, preview: unknown, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + confirmationSeconds
  const unsigned = `${expires}.${randomBytes(9).toString('base64url')}.${hashOf(preview)}`
  return `${unsigned}.${macOf(config, call, unsigned)}`
}

/**
 * Returns the hash of the preview that a token confirms, null if the token is for another call or has expired. A token
 * has one spelling, since its spelling tells whether it was used.
 */
export function confirmedPreview(config: Config, call: PlannedCall, token: string, now: Date): string | null {
  const [, unsigned = '', expires, preview = '', mac = ''] =
    /^((\d{1,12})\.[\w-]{12}\.([\w-]{43}))\.([\w-]{43})$/.exec(token) ?? []
  if (!expires || Number(expires) * 1000 < now.getTime()) return null
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(config, call, unsigned))) ? preview : null
}

/** Returns a hash of a preview: what was shown to the seller. */
export function hashOf(preview: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(preview)))
    .digest('base64url')
}

function macOf(config: Config, call: PlannedCall, unsigned: string): string {
  const signed = JSON.stringify([call.key_id, call.tool, sorted(call.arguments), unsigned])
  return createHmac('sha256', deriveBytes(hashKeyOf(config), 'mcp-confirmation'))
    .update(signed)
    .digest('base64url')
}

/** Orders members by name, since a client may send the same arguments in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, member]) => [name, sorted(member)])
}
