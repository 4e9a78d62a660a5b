import { z } from 'zod'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Accounts')
const base64url = (length: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`))

/** Hash of a subscription's endpoint, which a browser can compute itself. */
const SubscriptionId = base64url(43).describe('SHA-256 of the endpoint in base64url, without padding')

export const readWebPush = route({
  summary: 'The key for push notifications, and the browsers that get them',
  method: 'GET',
  path: '/api/v1/user/web-push/',
  auth: 'bearer',
  replies: {
    200: z.object({
      public_key: z.string().describe('The `applicationServerKey` of `PushManager.subscribe()`'),
      subscriptions: z
        .array(
          z.object({ id: z.string().describe('The id'), created_at: z.iso.datetime().describe('When it was created') }),
        )
        .describe('The browsers that are notified'),
    }),
  },
})

/** Takes what `PushSubscription.toJSON()` returns. */
export const putWebPush = route({
  summary: 'Notify a browser of alerts and sales',
  notes:
    'Repeating it changes nothing. The subscription ends with the session, and when its push service says that it is gone.',
  method: 'PUT',
  path: '/api/v1/user/web-push/',
  auth: 'bearer',
  body: z.strictObject({
    endpoint: z.url().max(1_000).describe('The address of the push service'),
    keys: z
      .strictObject({
        p256dh: base64url(87).describe('The public key of the browser'),
        auth: base64url(22).describe('The secret that browser and server share'),
      })
      .describe('Figures by key'),
  }),
  replies: { 200: z.object({ id: z.string().describe('The id') }) },
  errors: ['conflict'],
})

export const deleteWebPush = route({
  summary: 'Stop notifying a browser',
  method: 'DELETE',
  path: '/api/v1/user/web-push/{id}/',
  auth: 'bearer',
  params: z.strictObject({ id: SubscriptionId }),
  replies: { 204: null },
  worksOnLowDisk: true,
})

export const webPush = { readWebPush, putWebPush, deleteWebPush }
