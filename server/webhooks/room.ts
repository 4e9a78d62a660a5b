import type { Room } from '#server/room.ts'
import { eventsJobs } from './jobs.ts'
import { eventsRoutes } from './routes.ts'
import { encryptedSecrets } from './sign.ts'
import { startEventWorker } from './worker.ts'

/** Events for programs. */
export const eventsRoom = {
  tables: { user: ['event', 'event_counter', 'webhook_delivery', 'webhook_endpoint'] },
  clockColumns: {
    webhook_delivery: ['next_attempt_at', 'lease_until'],
    webhook_endpoint: ['failing_since', 'paused_until'],
  },
  encrypted: encryptedSecrets,
  routes: eventsRoutes,
  jobs: eventsJobs,
  workers: [startEventWorker],
} satisfies Room
