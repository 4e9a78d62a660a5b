import { ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { changes } from '#shared/contract/catalog/changes.ts'
import { listChanges } from './list-changes.ts'
import { undoChange } from './undo-change.ts'

/** Handlers of what a seller can undo. */
export function changesRoutes(services: Services): Handlers<typeof changes> {
  return {
    listChanges: ({ query }, { principal }) => ok(listChanges(services.db, principal.user_id, query)),

    undoChange: ({ params }, { principal }) => ok(undoChange(services, principal.user_id, params.uid)),
  }
}
