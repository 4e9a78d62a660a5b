import { z } from 'zod'
import { dueWork } from '#server/infra/jobs/due-work.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { checkDue, checkQueue, runCheck } from './run-check.ts'

const Payload = z.object({ user_id: z.int() })

/** Background work of checks: after imports, and each inventory once a day. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function checksJobs(services: Services): JobKind<any>[] {
  return [
    {
      queue: checkQueue,
      concurrency: 1,
      unique: true,
      retryLimit: 3,
      retryDelaySeconds: 10,
      heartbeatSeconds: 20,
      expireInSeconds: 300,
      groupConcurrency: 1,
      run: async (payload) => {
        await runCheck(services, Payload.parse(payload).user_id)
      },
    },
    dueWork('inventory-check-due', () => checkDue(services), { everySeconds: 300 }),
  ]
}
