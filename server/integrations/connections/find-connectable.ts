import { notFound, problem } from '#server/infra/errors.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { findPlatform, type PlatformEntry } from '#shared/platforms.ts'

/**
 * Returns a platform that can be connected, with its adapter. Throws 404 for an unknown slug, and 400
 * `platform_not_connectable` for a platform that the extension reads. Throws 409 `platform_not_configured` without
 * credentials.
 */
export function findConnectable(
  { platforms }: Pick<Services, 'platforms'>,
  slug: string,
): { platform: PlatformEntry; adapter: PlatformAdapter } {
  const platform = findPlatform(slug)
  if (!platform) throw notFound()
  if (platform.connection !== 'oauth') {
    throw problem(
      'platform_not_connectable',
      `${platform.name} is read by the browser extension; there is nothing to connect.`,
    )
  }
  const adapter = platforms.get(slug)
  if (!adapter) throw problem('platform_not_configured', `This server has no credentials for ${platform.name}.`)
  return { platform, adapter }
}

/**
 * Returns the redirect address of a platform. Each has its own, so that a code is never sent to another platform.
 */
export function callbackUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/accounts/${slug}/login/callback/`
}
