import { noContent, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { apiKeys } from '#shared/contract/account/api-keys.ts'
import type { apiUsage } from '#shared/contract/account/api-usage.ts'
import { createApiKey } from './create.ts'
import { endKey } from './end.ts'
import * as sql from './queries.ts'
import { readApiUsage } from './read-usage.ts'
import { rotateApiKey } from './rotate.ts'

export function apiKeysRoutes(services: Services): Handlers<typeof apiKeys & typeof apiUsage> {
  const { db, usage, log } = services
  /**
   * Writes this server's pending usage first. If the database is read-only, shows what it has; the rest is written
   * later.
   */
  const written = () =>
    usage.flush().catch((error: unknown) => log.warn({ err: error }, 'usage was read before it could be written'))
  return {
    listApiKeys: async (_input, { principal }) => {
      await written()
      return { status: 200, body: await db.any(sql.list({ user_id: principal.user_id })) }
    },

    getApiUsage: async ({ query }, { principal }) => {
      await written()
      return { status: 200, body: await readApiUsage(db, principal.user_id, query, services.now()) }
    },

    createApiKey: ({ body }, { principal, keep }) => createApiKey(services, principal, body, keep),

    getApiKey: async ({ params }, { principal }) => {
      await written()
      const record = await db.oneOrNone(sql.get({ user_id: principal.user_id, id: params.pk }))
      if (!record) throw notFound()
      return { status: 200, body: record }
    },

    deleteApiKey: ({ params }, { principal }) => noContent(endKey(db, principal.user_id, params.pk)),

    rotateApiKey: ({ params }, { principal }) => ok(rotateApiKey(db, principal, params.pk)),
  }
}
