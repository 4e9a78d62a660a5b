import { noContent, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { passkeys } from '#shared/contract/account/passkeys.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './add-passkey.ts'
import * as sql from './queries.ts'
import { beginPasskeyUse, logInByPasskey } from './use-passkey.ts'

export function passkeysRoutes(services: Services): Handlers<typeof passkeys> {
  const { db } = services
  return {
    listPasskeys: (_input, { principal }) => ok(listPasskeys(db, principal.user_id)),

    beginPasskey: (_input, { principal: { user } }) =>
      ok(beginPasskey(services, { id: user.id, name: user.email ?? user.username })),

    addPasskey: async ({ body }, { principal }) => ({ status: 201, body: await addPasskey(services, principal, body) }),

    renamePasskey: async ({ params, body }, { principal }) => {
      const renamed = await db.oneOrNone(sql.renamePasskey({ user_id: principal.user_id, uid: params.uid, ...body }))
      if (!renamed) throw notFound()
      return { status: 200, body: renamed }
    },

    removePasskey: ({ params }, { principal }) => noContent(removePasskey(services, principal.user_id, params.uid)),

    beginPasskeyLogin: async () => ({ status: 200, body: await beginPasskeyUse(services) }),

    logInByPasskey: async ({ body }, client) => ({ status: 200, body: await logInByPasskey(services, body, client) }),
  }
}
