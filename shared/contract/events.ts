import { z } from 'zod'
import { CursorPage, CursorQuery, wholeNumber } from './declaring/pages.ts'
import { param, UidParams } from './declaring/params.ts'
import { routesOf } from './declaring/route.ts'

/** The types of events sent by webhook and stream. */
export const eventTypes = [
  'item.created',
  'item.updated',
  'item.state_changed',
  'item.deleted',
  'item.merged',
  'item.relist_offered',
  'listing.listed',
  'listing.updated',
  'listing.delisted',
  'listing.delist_overdue',
  'listing.failed',
  'sale.recorded',
  'sale.cancelled',
  'sale.refunded',
  'sale.unmatched',
  'oversell.detected',
  'oversell.resolved',
  'connection.connected',
  'connection.lost',
  'connection.disconnected',
  'import.completed',
  'import.failed',
  'task.opened',
  'task.finished',
  'webhook.test',
] as const
export const EventType = z.enum(eventTypes)
export type EventType = z.infer<typeof EventType>

/** An event as it is sent. `id` never changes; `seq` grows by one with each event of the account. */
export const Event = z
  .object({
    id: z.string().describe('The id'),
    seq: z.int().describe('Grows with each event of the account, in the order in which they happened'),
    type: EventType.describe('The type'),
    timestamp: z.iso.datetime().describe('When it happened'),
    inventory_item_uid: z.string().nullable().describe('The item'),
    data: z.record(z.string(), z.unknown()).describe('Contents by type: see the guide under "Events"'),
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof Event>

const route = routesOf('Events')
const reads = { scope: 'inventory:read' } as const
const writes = { scope: 'inventory:write' } as const
const params = UidParams('whk')

/** An endpoint that events are sent to, signed as in Standard Webhooks. */
export const WebhookEndpoint = z
  .object({
    uid: z.string().describe('The id'),
    url: z.url().describe('The address'),
    description: z.string().describe('A text for people'),
    event_types: z.array(EventType).nullable().describe('Null: all'),
    enabled: z.boolean().describe('Whether events are delivered'),
    disabled_reason: z.string().nullable().describe('Why it was switched off by the service'),
    created_at: z.iso.datetime().describe('When it was created'),
  })
  .meta({ id: 'WebhookEndpoint' })
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

const Url = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .describe('The address')
const Description = z.string().trim().max(200).describe('A text for people')
const EventTypes = z
  .array(EventType)
  .min(1)
  .max(eventTypes.length)
  .transform((types) => [...new Set(types)])
  .nullable()
  .describe('Types of events. Null: all')
const WithSecret = WebhookEndpoint.extend({ secret: z.string().describe('Shown once: whsec_ and base64') })

export const listWebhooks = route({
  summary: 'The addresses that events are sent to, newest first',
  method: 'GET',
  path: '/api/v1/webhooks/',
  auth: reads,
  replies: { 200: z.array(WebhookEndpoint) },
})

/** https and a public host; at most ten. */
export const createWebhook = route({
  summary: 'Have events sent to an address',
  notes: 'https and a public host; at most ten. The `secret` that signs deliveries is shown in this answer only.',
  method: 'POST',
  path: '/api/v1/webhooks/',
  auth: writes,
  body: z.strictObject({ url: Url, description: Description.optional(), event_types: EventTypes.optional() }),
  replies: { 201: WithSecret },
  location: '/api/v1/webhooks/{uid}/',
  errors: ['conflict'],
  idempotent: true,
  secretReply: true,
  audit: 'webhook.created',
})

export const getWebhook = route({
  summary: 'One address that events are sent to',
  method: 'GET',
  path: '/api/v1/webhooks/{uid}/',
  auth: reads,
  params,
  replies: { 200: WebhookEndpoint },
})

/** Absent members stay unchanged. Enabling an endpoint resumes what waited. */
export const updateWebhook = route({
  summary: 'Change or switch an address that events are sent to',
  notes: 'What is left out stays. Switched on again, it goes on with what waited.',
  method: 'PATCH',
  path: '/api/v1/webhooks/{uid}/',
  auth: writes,
  params,
  body: z.strictObject({
    url: Url.optional(),
    description: Description.optional(),
    event_types: EventTypes.optional(),
    enabled: z.boolean().optional().describe('Whether events are delivered'),
  }),
  replies: { 200: WebhookEndpoint },
  audit: 'webhook.changed',
})

export const deleteWebhook = route({
  summary: 'Have nothing more sent to an address',
  method: 'DELETE',
  path: '/api/v1/webhooks/{uid}/',
  auth: writes,
  params,
  replies: { 204: null },
  audit: 'webhook.deleted',
})

export const rotateWebhookSecret = route({
  summary: 'A new signing secret; the old one signs for 24 hours more',
  notes:
    'For 24 hours each delivery has two signatures, one by each secret, so that receivers can change theirs in between. Rotating again ends the oldest at once.',
  method: 'POST',
  path: '/api/v1/webhooks/{uid}/rotate-secret/',
  auth: writes,
  params,
  replies: { 200: WithSecret },
  idempotent: true,
  secretReply: true,
  audit: 'webhook.secret_rotated',
})

const DeliveryState = z.enum(['pending', 'delivered', 'failed'])

/** One event on its way to one endpoint. */
export const WebhookDelivery = z
  .object({
    id: z.string().describe('The id'),
    event_id: z.string().describe('The id of the event'),
    event_type: EventType.describe('The type of the event'),
    event_seq: z.int().describe('The number of the event'),
    cause: z.enum(['event', 'replay', 'test']).describe('Why the delivery was made'),
    state: DeliveryState.describe('The state of the item'),
    attempts: z.int().describe('Tries so far'),
    response_status: z.int().nullable().describe('The status that your server answered'),
    error: z.string().nullable().describe('What went wrong'),
    duration_ms: z.int().nullable().describe('How long the request took'),
    created_at: z.iso.datetime().describe('When it was created'),
    next_attempt_at: z.iso.datetime().nullable().describe('When the next try is due'),
    finished_at: z.iso.datetime().nullable().describe('When the last try ended; null while one is due'),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const listDeliveries = route({
  summary: 'What was sent to an address, newest first',
  method: 'GET',
  path: '/api/v1/webhooks/{uid}/deliveries/',
  auth: reads,
  params,
  query: z.strictObject({
    state: DeliveryState.optional().meta(param('The state of the item')),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(WebhookDelivery) },
})

export const testWebhook = route({
  summary: 'Send a test event to an address',
  method: 'POST',
  path: '/api/v1/webhooks/{uid}/test/',
  auth: writes,
  params,
  replies: { 202: WebhookDelivery },
  errors: ['conflict'],
  idempotent: true,
})

/** Events are kept for 30 days and keep their ids. One replay per account at a time. */
export const replayWebhook = route({
  summary: 'Send events again, from a time on',
  notes:
    'Events keep their ids and numbers. `since` lies within the last 30 days. One replay of an account runs at a time.',
  method: 'POST',
  path: '/api/v1/webhooks/{uid}/replay/',
  auth: writes,
  params,
  body: z.strictObject({
    since: z.iso.datetime({ offset: true }).describe('The beginning of the period'),
    until: z.iso.datetime({ offset: true }).optional().describe('The end of the period'),
    event_types: EventTypes.optional(),
  }),
  replies: { 202: z.object({ replayed: z.int().describe('How many events of that time there are to send') }) },
  errors: ['conflict', 'replay_under_way'],
  idempotent: true,
})

/** The same events by polling, oldest first. */
export const listEvents = route({
  summary: 'Events after a number, oldest first',
  method: 'GET',
  path: '/api/v1/events/',
  auth: reads,
  query: z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'must be the seq of an event')
      .transform(Number)
      .optional()
      .describe('seq of the last event that is known; left out: from the oldest')
      .meta(wholeNumber(0)),
    page_size: CursorQuery.page_size,
  }),
  replies: {
    200: z.object({
      results: z.array(Event).describe('The entries of this page'),
      last_seq: z.int().describe('Of the newest event there is'),
    }),
  },
})

/** Server-sent events. Mounted separately, since the response does not end; declared for the API document. */
export const streamEvents = route({
  summary: 'Events as they happen, as a stream of server-sent events',
  method: 'GET',
  path: '/api/v1/events/stream/',
  auth: reads,
  query: z.strictObject({
    last_event_id: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional()
      .describe('Where the header Last-Event-ID cannot be sent')
      .meta(wholeNumber(0)),
  }),
  headers: { 'Last-Event-ID': 'The `seq` of the last event that is known; left out: from now' },
  notes:
    'Begins with the number from which on it tells, so that a reader who is cut off before the first event goes on there too. A comment every 15 s says that it is alive. It ends when its credential does, and when the server stops: connect again, with the last id. At most ten at once.',
  replyType: 'text/event-stream',
  replies: { 200: z.string().describe('id is the seq, event the type, data the event') },
})

export const events = {
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listDeliveries,
  testWebhook,
  replayWebhook,
  listEvents,
}

export const eventStreams = { streamEvents }
