import { ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { sessions } from '#shared/contract/account/sessions.ts'
import { endOtherSessions, endSession, listSessions } from './list-sessions.ts'

export function sessionsRoutes(services: Services): Handlers<typeof sessions> {
  const { db } = services
  return {
    listSessions: async (_input, { principal }) => ({ status: 200, body: await listSessions(services, principal) }),

    endSession: async ({ params }, { principal }) => {
      const ended = await endSession(db, { user_id: principal.user_id, uid: params.uid })
      if (!ended) throw notFound()
      return { status: 204 }
    },

    endOtherSessions: (_input, { principal: { user_id, token_hash } }) =>
      ok(endOtherSessions(db, { user_id, token_hash })),
  }
}
