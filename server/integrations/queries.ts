// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Returns the platforms that an operator has paused. */
export const listPausedPlatforms = statement<object, { platform: PlatformSlug }>(
  'integrations/listPausedPlatforms',
  [],
  `select platform from platform_pause`,
)
