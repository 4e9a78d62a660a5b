import type { ZodOpenApiPathItemObject } from 'zod-openapi'
import { Event } from '#shared/contract/events.ts'

const header = (name: string, description: string) => ({
  in: 'header' as const,
  name,
  required: true,
  description,
  schema: { type: 'string' as const },
})

/** The request that a webhook endpoint receives, for the document's `webhooks`. */
export const deliveryOfEvent: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'deliverEvent',
    summary: 'An event, sent to your webhook address',
    description:
      'Check the signature before anything else (the guide, "Events"), answer 2xx at once, and do the work afterwards.',
    tags: ['Events'],
    parameters: [
      header('webhook-id', 'The `id` of the event, the same at every attempt'),
      header('webhook-timestamp', 'When this attempt was signed, in seconds since 1970'),
      header('webhook-signature', '`v1,` and base64; several are parted by spaces'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: Event } } },
    responses: {
      '2XX': { description: 'Taken; it is not sent again' },
      '410': { description: 'Nothing more is sent to this address' },
      default: { description: 'Tried again, for three days' },
    },
  },
}
