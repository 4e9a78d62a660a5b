import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { changes } from '#shared/contract/catalog/changes.ts'
import { listChanges } from './list-changes.ts'
import { undoChange } from './undo-change.ts'

/** Handlers of what a seller can undo. */
export function changesRoutes(services: Services): Handlers<typeof changes> {
  return {
    listChanges: async ({ query }, { principal }) => ({
      status: 200,
      body: await listChanges(services.db, principal.user_id, query),
    }),

    undoChange: async ({ params }, { principal }) => ({
      status: 200,
      body: await undoChange(services, principal.user_id, params.uid),
    }),
  }
}
