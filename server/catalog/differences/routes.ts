import { ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { differences } from '#shared/contract/catalog/differences.ts'
import { decideDifferences } from './decide-differences.ts'
import { listDifferences } from './list-differences.ts'

/** Handlers of differences between items and their listings. */
export function differencesRoutes(services: Services): Handlers<typeof differences> {
  return {
    listDifferences: ({ query }, { principal }) => ok(listDifferences(services.db, principal.user_id, query)),

    decideDifferences: ({ body }, { principal }) => ok(decideDifferences(services, principal.user_id, body)),
  }
}
