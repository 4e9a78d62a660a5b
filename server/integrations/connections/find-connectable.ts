import { notFound, problem } from '#server/infra/errors.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { findPlatform, type PlatformEntry } from '#shared/platforms.ts'

/**
 * The platform that a slug names and how to reach it, when it can be connected here (decisions 5). Throws 404 for an
 * unknown slug, 400 `platform_not_connectable` for one read by the extension, 409 `platform_not_configured`.
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

/** The redirect address of a platform, one for each, so that one platform's code is never taken for another's. */
export function callbackUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/accounts/${slug}/login/callback/`
}
