import type { Handlers } from '#server/http/mount.ts'
import { sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { sessions } from '#shared/contract/sessions.ts'
import { listSessions } from './list-sessions.ts'

const deleteSession = sql(import.meta.url, './sql/delete-session.sql')
const deleteOthers = sql(import.meta.url, './sql/delete-other-sessions.sql')

export function sessionsRoutes(services: Services): Handlers<typeof sessions> {
  const { db } = services
  return {
    listSessions: async (_input, { principal }) => ({ status: 200, body: await listSessions(services, principal) }),

    endSession: async ({ params }, { principal }) => {
      const ended = await db.oneOrNone(deleteSession, { user_id: principal.user_id, uid: params.uid })
      if (!ended) throw notFound()
      return { status: 204 }
    },

    endOtherSessions: async (_input, { principal: { user_id, token_hash } }) => ({
      status: 200,
      body: await db.one<{ ended: number }>(deleteOthers, { user_id, token_hash }),
    }),
  }
}
