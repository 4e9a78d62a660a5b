import { sendCheck } from '#server/catalog/checks/run-check.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import { ImportItemStatus, type imports } from '#shared/contract/catalog/imports.ts'
import { listPreview, requestPreview } from './deciding/preview.ts'
import { createJob, createPlatformJob } from './jobs/create-job.ts'
import { failJob } from './jobs/fail-job.ts'
import { listItems } from './jobs/list-items.ts'
import { listJobs, readJob } from './jobs/read-jobs.ts'
import { requestRetry, requestStart, skipAllConflicts } from './jobs/request-action.ts'
import { resolveItem } from './resolve/index.ts'
import { listConflicts } from './resolve/list-conflicts.ts'
import { readItem } from './resolve/read-item.ts'
import { resolveMany } from './resolve/resolve-many.ts'

/** Handlers of import jobs. */
export function importsRoutes(services: Services): Handlers<typeof imports> {
  const { db } = services
  return {
    createImportJob: ({ body }, { principal, keep }) =>
      createJob(services, { ...body, user_id: principal.user_id }, keep),

    importPlatform: ({ params }, { principal, keep }) =>
      createPlatformJob(services, { user_id: principal.user_id, platform: params.platform }, keep),

    listImportJobs: async ({ query }, { principal }) => ({
      status: 200,
      body: await listJobs(db, { ...query, user_id: principal.user_id }),
    }),

    getImportJob: async ({ params }, { principal }) => ({
      status: 200,
      body: await readJob(db, { user_id: principal.user_id, job_uid: params.uid }),
    }),

    listImportItems: async ({ params, query }, { principal }) => {
      const statuses = query.status ? [query.status] : ImportItemStatus.options
      const job = { user_id: principal.user_id, job_uid: params.uid }
      return { status: 200, body: await listItems(db, job, statuses, query) }
    },

    getImportItem: async ({ params }, { principal }) => {
      const item = { user_id: principal.user_id, job_uid: params.uid, item_uid: params.item_uid }
      return { status: 200, body: await readItem(db, item) }
    },

    listImportIssues: async ({ params, query }, { principal }) => {
      const statuses = query.status ? [query.status] : (['failed', 'conflict'] as const)
      const job = { user_id: principal.user_id, job_uid: params.uid }
      return { status: 200, body: await listItems(db, job, statuses, query) }
    },

    resolveImportItem: async ({ params, body }, { principal }) => {
      const item = { user_id: principal.user_id, job_uid: params.uid, item_uid: params.item_uid }
      const resolved = await resolveItem(services, item, body)
      await sendCheck(services, db, principal.user_id)
      return { status: 200, body: resolved }
    },

    listConflicts: async ({ query }, { principal }) => ({
      status: 200,
      body: await listConflicts(db, principal.user_id, query),
    }),

    resolveConflicts: async ({ body }, { principal }) => {
      const outcomes = await resolveMany(services, principal.user_id, body)
      await sendCheck(services, db, principal.user_id)
      return { status: 200, body: outcomes }
    },

    requestImportPreview: async ({ body }, { principal }) => ({
      status: 202,
      body: await requestPreview(services, { ...body, user_id: principal.user_id }),
    }),

    getImportPreview: async ({ params, query }, { principal }) => ({
      status: 200,
      body: await listPreview(db, { user_id: principal.user_id, job_uid: params.uid }, query),
    }),

    startImport: ({ body }, { principal, keep }) =>
      requestStart(services, { ...body, user_id: principal.user_id }, keep),

    retryFailedItems: ({ params }, { principal, keep }) =>
      requestRetry(services, { user_id: principal.user_id, job_uid: params.uid }, keep),

    skipAllConflicts: async ({ params }, { principal }) => ({
      status: 200,
      body: await skipAllConflicts(services, { user_id: principal.user_id, job_uid: params.uid }),
    }),
    stopImport: async ({ params: { uid } }, { principal: { user_id } }) => {
      await failJob(db, { user_id, uid }, { message: 'You stopped it. Listings imported until then stay.' })
      return { status: 200, body: await readJob(db, { user_id, job_uid: uid }) }
    },
  }
}
