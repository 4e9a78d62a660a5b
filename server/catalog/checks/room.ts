import { z } from 'zod'
import { dueWork } from '#server/infra/jobs/due-work.ts'
import type { Room } from '#server/room.ts'
import { checksRoutes } from './routes.ts'
import { checkDue, checkQueue, runCheck } from './run-check.ts'

const Payload = z.object({ user_id: z.int() })

/** Checks of the inventory: after imports, and each once a day. */
export const checksRoom = {
  tables: { user: ['inventory_check', 'inventory_fault'] },
  clockColumns: { inventory_check: ['checked_at'] },
  routes: checksRoutes,
  jobs: (services) => [
    {
      queue: checkQueue,
      concurrency: 1,
      unique: true,
      retryLimit: 3,
      retryDelaySeconds: 10,
      heartbeatSeconds: 20,
      expireInSeconds: 300,
      groupConcurrency: 1,
      run: async (payload: unknown) => {
        await runCheck(services, Payload.parse(payload).user_id)
      },
    },
    dueWork('inventory-check-due', () => checkDue(services), { everySeconds: 300 }),
  ],
} satisfies Room
