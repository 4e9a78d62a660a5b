import { requireOpenAccount } from '#server/http/lock-user.ts'
import type { Handlers } from '#server/http/mount.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { maxViews, type views } from '#shared/contract/catalog/views.ts'
import { newId } from '#shared/identity.ts'
import * as sql from './queries.ts'

/** Handlers of saved views. */
export function viewsRoutes({ db }: Services): Handlers<typeof views> {
  return {
    listViews: async (_input, { principal }) => {
      const rows = await db.any(sql.listViews({ user_id: principal.user_id }))
      return { status: 200, body: rows.map(({ uid, name, view }) => ({ uid, name, ...view })) }
    },

    saveView: ({ body }, { principal: { user_id } }) =>
      transaction(db, 'save-view', async (tx) => {
        await requireOpenAccount(tx, user_id)
        const { name, ...view } = body
        const saved = await tx.oneOrNone(sql.saveView({ user_id, uid: newId('viw'), name, view, most: maxViews }))
        if (!saved) throw problem('quota_exceeded', `You have ${maxViews} saved views. Delete one first.`)
        return { status: 200, body: { uid: saved.uid, ...body } }
      }),

    deleteView: async ({ params }, { principal }) => {
      if (!(await db.oneOrNone(sql.deleteView({ user_id: principal.user_id, uid: params.uid })))) throw notFound()
      return { status: 204 }
    },
  }
}
