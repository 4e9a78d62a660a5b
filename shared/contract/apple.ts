import { z } from 'zod'
import { route } from './route.ts'

/** Apple's duty for every app with Sign in with Apple; the signature of the payload is the credential. */
export const receiveAppleNotification = route({
  summary: "Apple's notices that a person revoked consent or deleted their Apple account",
  section: 'd4',
  tag: 'Webhooks',
  method: 'POST',
  path: '/webhooks/apple/',
  auth: 'none',
  body: z.looseObject({ payload: z.string() }).describe("A token with Apple's signature"),
  replies: { 204: null },
  errors: ['invalid_signature', 'not_found'],
})

/** Mounted apart from the rest, since Apple adds members as it likes; declared for the API document. */
export const appleWebhooks = { receiveAppleNotification }
