import { z } from 'zod'

const base64url = z.string().max(20_000).describe('As the browser returns it, in base64url')

/** The result of `navigator.credentials.create` or `get`, as `toJSON` writes it. */
const credential = (response: z.ZodObject) =>
  z.looseObject({
    id: z.string().min(1).max(2_000).describe('The id'),
    rawId: z.string().min(1).max(2_000).describe('As the browser returns it, in base64url'),
    type: z.literal('public-key').describe('The type'),
    response: response.describe('As the browser returns it'),
  })

/** A credential created by a browser. */
export const Created = credential(
  z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url,
  }),
)
const Signed = credential(
  z.looseObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
)

/** The response of a passkey to one of our challenges. */
export const PasskeyAnswer = z.strictObject({
  challenge_token: z.string().max(200).describe('The token of the first step'),
  response: Signed.describe('As the browser returns it'),
})
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>
