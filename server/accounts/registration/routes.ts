import type { Handlers } from '#server/http/mount.ts'
import { notFound } from '#server/infra/errors.ts'
import { version } from '#server/infra/version.ts'
import type { Services } from '#server/services.ts'
import type { ownServer } from '#shared/contract/own-server.ts'
import { invite } from './invite.ts'
import * as sql from './queries.ts'

/** A backup older than this is late: a daily one has then failed twice. */
const backupLateSeconds = 2 * 86_400

export function registrationRoutes({ config, db }: Pick<Services, 'config' | 'db'>): Handlers<typeof ownServer> {
  async function requireOwner(user_id: number): Promise<void> {
    if (!(await db.one(sql.isOwner({ user_id }))).is_owner) throw notFound()
  }
  return {
    readServer: async (_input, { principal }) => {
      const { user_id } = principal
      const owned = await db.oneOrNone(sql.readOwned({ user_id, late_after_seconds: backupLateSeconds }))
      return { status: 200, body: { version, owned: owned && { registration: config.REGISTRATION, ...owned } } }
    },
    createInvitation: async (_input, { principal }) => {
      await requireOwner(principal.user_id)
      return { status: 201, body: await invite({ config }, db) }
    },
    deleteInvitations: async (_input, { principal }) => {
      await requireOwner(principal.user_id)
      await db.none(sql.deleteInvitations())
      return { status: 204 }
    },
  }
}
