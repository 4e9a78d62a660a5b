import { noContent, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { checks } from '#shared/contract/catalog/checks.ts'
import { listChecks } from './list-checks.ts'
import { dismissCheck, mendCheck } from './mend-check.ts'
import { runCheck } from './run-check.ts'

/** Handlers of what is not as it should be in an inventory. */
export function checksRoutes(services: Services): Handlers<typeof checks> {
  return {
    listChecks: ({ query }, { principal }) => ok(listChecks(services, principal.user_id, query)),

    runChecks: async (_input, { principal }) => {
      await runCheck(services, principal.user_id)
      const { count, checked_at } = await listChecks(services, principal.user_id, { page_size: 1 })
      return { status: 200, body: { found: count, checked_at: checked_at! } }
    },

    mendCheck: ({ params, body }, { principal }) =>
      ok(mendCheck(services, { user_id: principal.user_id, uid: params.uid }, body.keep_listing_id ?? null)),

    dismissCheck: ({ params }, { principal }) =>
      noContent(dismissCheck(services, { user_id: principal.user_id, uid: params.uid })),
  }
}
