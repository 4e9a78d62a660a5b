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
  const readOwned = (user_id: number) => db.oneOrNone(sql.readOwned({ user_id, late_after_seconds: backupLateSeconds }))
  async function requireOwner(user_id: number): Promise<void> {
    if (!(await readOwned(user_id))) throw notFound()
  }
  return {
    readServer: async (_input, { principal }) => {
      const owned = await readOwned(principal.user_id)
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
