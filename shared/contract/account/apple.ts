import { z } from 'zod'
import { routesOf } from '../declaring/route.ts'

/** Apple requires this endpoint of every app with Sign in with Apple; the payload's signature is the credential. */
export const receiveAppleNotification = routesOf('Webhooks')({
  summary: "Apple's notices that a person revoked consent or deleted their Apple account",
  method: 'POST',
  path: '/webhooks/apple/',
  auth: 'none',
  body: z.looseObject({ payload: z.string().describe('The signed notice') }).describe("A token with Apple's signature"),
  replies: { 204: null },
  errors: ['invalid_signature', 'not_found'],
})

/** Mounted separately, since Apple may add members; declared for the API document. */
export const appleWebhooks = { receiveAppleNotification }
