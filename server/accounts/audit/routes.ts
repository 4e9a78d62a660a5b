import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { audit } from '#shared/contract/account/audit.ts'
import { listAudit } from './list-audit.ts'

export function auditRoutes({ db, audit: trail, log }: Services): Handlers<typeof audit> {
  return {
    listAudit: async ({ query }, { principal }) => {
      // Write this server's pending entries first. A read-only database still shows what it has.
      await trail.flush().catch((error: unknown) => log.warn({ err: error }, 'the audit trail was read before written'))
      return { status: 200, body: await listAudit(db, principal.user_id, query) }
    },
  }
}
