import {
  listConflicts,
  resolveConflicts,
  retryFailedItems,
  skipAllConflicts,
  stopImport,
} from '#shared/contract/imports.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

type ConflictHandlers = Pick<
  PopupHandlers,
  'conflicts.list' | 'conflicts.resolve' | 'conflicts.skipAll' | 'imports.retryFailed' | 'imports.stop'
>

/** Handlers for deciding many conflicts, and for what can be done about a whole import. */
export function conflictHandlers(context: WorkerContext): ConflictHandlers {
  return {
    async 'conflicts.list'({ job, certainty, page }) {
      return (await openCall(context))(listConflicts, {
        query: {
          page: String(page),
          page_size: '100',
          ...(job ? { job_uid: job } : {}),
          ...(certainty ? { certainty } : {}),
        },
      })
    },

    async 'conflicts.resolve'({ job, ...body }) {
      return (await openCall(context))(resolveConflicts, { body: { ...body, ...(job ? { job_uid: job } : {}) } })
    },

    async 'conflicts.skipAll'({ job }) {
      return (await openCall(context))(skipAllConflicts, { params: { uid: job } })
    },

    async 'imports.retryFailed'({ job }) {
      return (await openCall(context))(retryFailedItems, { params: { uid: job } })
    },

    async 'imports.stop'({ job }) {
      return (await openCall(context))(stopImport, { params: { uid: job } })
    },
  }
}
