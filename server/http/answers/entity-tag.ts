import { hash } from 'node:crypto'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'

/** Returns whether successful answers of an endpoint have an ETag. */
export const isTagged = ({ method, auth, secretReply, streamed }: RouteDeclaration): boolean =>
  method === 'GET' && auth !== 'none' && !secretReply && !streamed

/** Returns the tag of a body. The tag of an item begins with its version, so that it also serves as If-Match. */
export function entityTag(text: string, data: unknown): string {
  const digest = hash('sha1', text, 'base64url')
  const { version } = (data ?? {}) as { version?: unknown }
  return Number.isInteger(version) ? `"${version}-${digest}"` : `W/"${digest}"`
}
