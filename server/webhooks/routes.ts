import { fitting } from '#server/http/answers/list-page.ts'
import { noContent, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { events } from '#shared/contract/events.ts'
import { listDeliveries, sendTest } from './deliveries.ts'
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './endpoints.ts'
import { readEvents, readLastSeq } from './read-events.ts'
import { createReplay } from './replay.ts'

export function eventsRoutes(services: Services): Handlers<typeof events> {
  const { db } = services
  const replay = createReplay(services)
  return {
    listWebhooks: async (_input, { principal }) => ({ status: 200, body: await listEndpoints(db, principal.user_id) }),
    createWebhook: ({ body }, { principal, keep }) => createEndpoint(services, principal, body, keep),
    getWebhook: ({ params }, { principal }) => ok(getEndpoint(db, principal.user_id, params.uid)),
    updateWebhook: ({ params, body }, { principal }) =>
      ok(updateEndpoint(services, principal.user_id, params.uid, body)),
    deleteWebhook: ({ params }, { principal }) => noContent(deleteEndpoint(db, principal.user_id, params.uid)),
    rotateWebhookSecret: ({ params }, { principal }) => ok(rotateSecret(services, principal.user_id, params.uid)),
    listDeliveries: ({ params, query }, { principal }) => ok(listDeliveries(db, principal.user_id, params.uid, query)),
    testWebhook: ({ params }, { principal, keep }) => sendTest(services, principal.user_id, params.uid, keep),
    replayWebhook: ({ params, body }, { principal, keep }) => replay(principal.user_id, params.uid, body, keep),
    listEvents: async ({ query }, { principal }) => ({
      status: 200,
      body: {
        results: fitting(await readEvents(db, principal.user_id, query.after ?? 0, query.page_size ?? 20)),
        last_seq: await readLastSeq(db, principal.user_id),
      },
    }),
  }
}
