import { noContent, ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { webPush } from '#shared/contract/account/web-push.ts'
import { endSubscription, listSubscriptions, saveSubscription } from './subscriptions.ts'
import { vapidKeys } from './vapid-keys.ts'

/** Handlers of push notifications for browsers. */
export function webPushRoutes(services: Services): Handlers<typeof webPush> {
  return {
    readWebPush: async (_input, { principal }) => ({
      status: 200,
      body: {
        public_key: (await vapidKeys(services)).publicKey,
        subscriptions: await listSubscriptions(services.db, principal.user_id),
      },
    }),
    putWebPush: ({ body }, { principal }) => ok(saveSubscription(services, principal, body)),
    deleteWebPush: ({ params }, { principal }) => noContent(endSubscription(services.db, principal.user_id, params.id)),
  }
}
