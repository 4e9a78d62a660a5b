import { z } from 'zod'
import { param } from './params.ts'
import { routesOf } from './route.ts'

/** Twilio's delivery reports; the signature is the credential. */
export const receiveTextReport = routesOf('Webhooks')({
  summary: "Twilio's report of a text's delivery",
  method: 'POST',
  path: '/webhooks/twilio/{id}/',
  auth: 'none',
  params: z.object({
    id: z.string().max(40).meta(param('The id')),
  }),
  body: z.looseObject({}).describe('A form with MessageStatus and ErrorCode, signed in the header X-Twilio-Signature'),
  replies: { 204: null },
  errors: ['invalid_signature', 'not_found'],
})

/** Mounted separately, since the body is a form; declared for the API document. */
export const textReportWebhooks = { receiveTextReport }
