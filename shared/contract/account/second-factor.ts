import { z } from 'zod'
import { routesOf } from '../declaring/route.ts'
import { OneTimeToken, Session as SignedIn } from './accounts.ts'
import { PasskeyAnswer } from './passkey-answer.ts'

const route = routesOf('Second factor')

/** A code of an authenticator app, as typed. */
const TotpCode = z.string().max(20)
/** A recovery code, as typed. */
const RecoveryCode = z.string().max(100).describe('A recovery code')

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()).describe('Shown this once; each works once') })

export const getSecondFactor = route({
  summary: 'What a sign-in to the account asks for after the password',
  method: 'GET',
  path: '/api/v1/user/second-factor/',
  auth: 'bearer',
  replies: {
    200: z.object({
      totp_confirmed_at: z.iso.datetime().nullable().describe('Null: a sign-in asks for no second factor'),
      recovery_codes_left: z.int().describe('Recovery codes that are not used'),
      passkeys: z.int().describe('Passkeys of the account'),
    }),
  },
})

/** Sign-in does not change until the code is confirmed. */
export const beginTotp = route({
  summary: 'Set up an authenticator app: get its secret, which is shown this once',
  method: 'POST',
  path: '/api/v1/user/second-factor/totp/begin/',
  auth: 'bearer',
  replies: {
    200: z.object({
      secret: z.string().describe('The secret to enter by hand'),
      otpauth_uri: z.string().describe('The address for an authenticator app'),
      expires_at: z.iso.datetime().describe('When it expires'),
    }),
  },
  errors: ['conflict'],
  recentProof: 'strict',
})

export const confirmTotp = route({
  summary: 'Switch the second factor on with a code of the app; answers recovery codes',
  method: 'POST',
  path: '/api/v1/user/second-factor/totp/confirm/',
  auth: 'bearer',
  body: z.strictObject({ code: TotpCode.describe('The code that the app shows') }),
  replies: { 200: RecoveryCodes },
  errors: ['code_invalid', 'conflict'],
  recentProof: 'strict',
  audit: 'second_factor.enabled',
})

export const removeTotp = route({
  summary: 'Switch the second factor off; its recovery codes end too',
  method: 'DELETE',
  path: '/api/v1/user/second-factor/totp/',
  auth: 'bearer',
  replies: { 204: null },
  errors: ['not_found'],
  recentProof: 'strict',
  audit: 'second_factor.disabled',
})

export const renewRecoveryCodes = route({
  summary: 'Get new recovery codes; the old ones end',
  method: 'POST',
  path: '/api/v1/user/second-factor/recovery-codes/',
  auth: 'bearer',
  replies: { 200: RecoveryCodes },
  errors: ['conflict'],
  recentProof: 'strict',
  audit: 'recovery_codes.renewed',
})

/** The second step of a sign-in that answered 401 `second_factor_required`. */
export const logInBySecondFactor = routesOf('Accounts')({
  summary: 'Sign in: give the second factor',
  method: 'POST',
  path: '/api/auth/login/second-factor/',
  auth: 'none',
  body: z
    .strictObject({
      signin_token: OneTimeToken.describe('The token of this sign-in'),
      code: TotpCode.optional().describe('The code that the app shows'),
      recovery_code: RecoveryCode.optional(),
      passkey: PasskeyAnswer.optional().describe('The answer of a passkey'),
    })
    .refine(
      ({ code, recovery_code, passkey }) =>
        [code, recovery_code, passkey].filter((one) => one !== undefined).length === 1,
      {
        message: 'needs exactly one of code, recovery_code and passkey',
      },
    ),
  replies: { 200: SignedIn },
  errors: ['code_invalid', 'passkey_refused'],
  issuesToken: true,
  audit: 'session.created',
})

export const secondFactor = {
  getSecondFactor,
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  logInBySecondFactor,
}
