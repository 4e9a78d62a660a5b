import { z } from 'zod'
import { routesOf } from '../declaring/route.ts'
import { PasskeyAnswer } from './passkey-answer.ts'

const route = routesOf('Accounts')

/** The user as most responses show it. */
export const User = z
  .object({
    id: z.int().describe('The id'),
    username: z.string().describe('The name of the account'),
    email: z.string().nullable().describe('The email address'),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

/** The user as the phone registration shows it. */
export const VerifiedUser = User.extend({
  phone_verified: z.boolean().describe('Whether the phone number is confirmed'),
  email_verified: z.boolean().describe('Whether the email address is confirmed'),
})

export const Detail = z.object({ detail: z.string().describe('A sentence for people') })
/** The response of a sign-in. */
export const Session = z.object({ user: User, token: z.string().describe('The bearer token') })

/**
 * A new password: 8 to 128 characters with a letter and a number, used in its NFKC form and never trimmed or cut. The
 * server also refuses common ones.
 */
export const NewPassword = z
  .string()
  .max(1024, 'must have at most 128 characters')
  // Count characters as JSON Schema does: an emoji is one, not two.
  .refine((text) => [...text].length >= 8, 'must have at least 8 characters')
  .refine((text) => [...text].length <= 128, 'must have at most 128 characters')
  .regex(/\p{L}/u, 'must contain a letter')
  .regex(/\p{N}/u, 'must contain a number')
  .meta({ minLength: 8, maxLength: 128 })

/** A password to compare: any text. */
const GivenPassword = z.string().min(1).max(1024)

/** An email address as typed; the server normalizes and validates it (server/accounts/contact). */
const EmailText = z.string().min(3).max(320).describe('The email address')

/** A full name, stored as plain text. */
const FullName = z.string().max(150).describe('The full name')

/** The token of a link or a first step; a malformed one is refused like an unknown one. */
export const OneTimeToken = z.string().max(200)

/** The invitation of a link. */
const Invitation = OneTimeToken.describe('The `invitation` of its link, where registration is by invitation')

/** Two keyboards may send the same password in different Unicode forms. */
const confirmed = <Shape extends z.ZodType>(schema: Shape, field: string, confirm: string) =>
  schema.refine((body) => formOf(body, field) === formOf(body, confirm), {
    path: [confirm],
    message: `must equal ${field}`,
  })

const formOf = (body: unknown, field: string) => (body as Record<string, string>)[field]?.normalize('NFKC')

export const registerByEmail = route({
  summary: 'Register with an email address',
  method: 'POST',
  path: '/api/auth/register/email/',
  auth: 'none',
  body: confirmed(
    z.strictObject({
      email: EmailText,
      password: NewPassword.describe('The password'),
      password_confirm: z.string().describe('The password again'),
      full_name: FullName.optional(),
      invitation: Invitation.optional(),
    }),
    'password',
    'password_confirm',
  ),
  replies: { 201: Session },
  errors: ['email_in_use', 'registration_closed'],
  issuesToken: true,
  audit: 'account.registered',
})

/** Needed because tokens can be lost. */
export const logInByPassword = route({
  summary: 'Sign in with email and password',
  method: 'POST',
  path: '/api/auth/login/',
  auth: 'none',
  body: z.strictObject({ email: EmailText, password: GivenPassword.describe('The password') }),
  replies: { 200: Session },
  errors: ['invalid_credentials', 'second_factor_required'],
  issuesToken: true,
  audit: 'session.created',
})

export const validateToken = route({
  summary: 'Is my token still valid?',
  method: 'GET',
  path: '/api/auth/validate/',
  auth: 'bearer',
  replies: { 200: z.object({ valid: z.literal(true).describe('Whether it is valid'), user: User }) },
})

export const logOut = route({
  summary: 'End the current token',
  method: 'POST',
  path: '/api/auth/logout/',
  auth: 'bearer',
  replies: { 200: Detail },
  audit: 'session.ended',
  worksOnLowDisk: true,
})

/** A phone number as typed: E.164 or 10 US digits; the server validates it (server/accounts/contact). */
const PhoneText = z.string().min(5).max(40).describe('The phone number without its dial code')

/** The 6 digits of a text, as people type and paste them. A malformed code is refused like a wrong one. */
const Code = z.string().max(100)

/** Texts the code. A number with an account gets the same response, and a text that says so. */
export const beginPhoneRegistration = route({
  summary: 'Register with a phone number: send the code',
  method: 'POST',
  path: '/api/auth/register/begin/',
  auth: 'none',
  body: z.strictObject({
    phone_number: PhoneText,
    email: EmailText.optional(),
    password: NewPassword.optional().describe('The password'),
    full_name: FullName.optional(),
    invitation: Invitation.optional(),
  }),
  replies: {
    200: z.object({
      signup_token: z.uuid().describe('The token of this registration'),
      expires_at: z.iso.datetime().describe('When it expires'),
    }),
  },
  errors: ['country_not_supported', 'platform_not_configured', 'registration_closed'],
  issuesToken: true,
})

export const verifyPhoneRegistration = route({
  summary: 'Register with a phone number: give the code',
  method: 'POST',
  path: '/api/auth/register/verify/',
  auth: 'none',
  body: z.strictObject({
    signup_token: OneTimeToken.describe('The token of this registration'),
    code: Code.describe('The code of the message'),
  }),
  replies: {
    201: z.object({ user: VerifiedUser.describe('The account'), token: z.string().describe('The bearer token') }),
  },
  errors: ['code_invalid', 'email_in_use', 'phone_in_use', 'registration_closed'],
  issuesToken: true,
  audit: 'account.registered',
})

/** An unknown number gets the same response and no text. */
export const beginPhoneLogin = route({
  summary: 'Sign in with a phone number: send the code',
  method: 'POST',
  path: '/api/auth/login/phone/begin/',
  auth: 'none',
  body: z.strictObject({ phone_number: PhoneText }),
  replies: {
    200: z.object({
      signin_token: z.uuid().describe('The token of this sign-in'),
      expires_at: z.iso.datetime().describe('When it expires'),
    }),
  },
  errors: ['country_not_supported', 'platform_not_configured'],
  issuesToken: true,
})

export const verifyPhoneLogin = route({
  summary: 'Sign in with a phone number: give the code',
  method: 'POST',
  path: '/api/auth/login/phone/verify/',
  auth: 'none',
  body: z.strictObject({
    signin_token: OneTimeToken.describe('The token of this sign-in'),
    code: Code.describe('The code of the message'),
  }),
  replies: { 200: Session },
  errors: ['code_invalid', 'second_factor_required'],
  issuesToken: true,
  audit: 'session.created',
})

/** `user` is what Apple gives the app at the first consent. It is unsigned, so only its name is used. */
export const signInWithApple = route({
  summary: 'Sign in with Apple',
  method: 'POST',
  path: '/api/auth/apple/',
  auth: 'none',
  body: z.strictObject({
    identity_token: z.string().min(1).max(20_000).describe('The token that Apple gave to the app'),
    authorization_code: z.string().min(1).max(4_000).describe('The code that Apple gave to the app'),
    user: z
      .strictObject({
        email: z.string().max(320).nullish().describe('The email address'),
        name: z
          .strictObject({
            firstName: z.string().max(150).nullish().describe('The given name'),
            lastName: z.string().max(150).nullish().describe('The family name'),
          })
          .nullish()
          .describe('The name'),
      })
      .nullish()
      .describe('The account'),
    invitation: Invitation.optional(),
  }),
  replies: { 200: Session },
  errors: ['invalid_identity_token', 'email_in_use', 'platform_not_configured', 'registration_closed'],
  issuesToken: true,
  audit: 'session.created',
})

/** Always 200, whether or not the address has an account. */
export const requestPasswordReset = route({
  summary: 'Ask for a password reset link',
  method: 'POST',
  path: '/api/auth/password/reset/request/',
  auth: 'none',
  body: z.strictObject({ email: EmailText }),
  replies: { 200: Detail },
})

/** Does not use the token up. */
export const verifyPasswordReset = route({
  summary: 'Is this reset link still good?',
  method: 'POST',
  path: '/api/auth/password/reset/verify/',
  auth: 'none',
  body: z.strictObject({ token: OneTimeToken.describe('The bearer token') }),
  replies: { 200: z.object({ email_hint: z.string().describe('The email address with letters left out') }) },
  errors: ['code_invalid'],
})

/** Ends all tokens; with `end_everything` also everything that somebody else could have set up. */
export const confirmPasswordReset = route({
  summary: 'Set a new password with a reset link',
  method: 'POST',
  path: '/api/auth/password/reset/confirm/',
  auth: 'none',
  body: confirmed(
    z.strictObject({
      token: OneTimeToken.describe('The bearer token'),
      password: NewPassword.describe('The password'),
      password_confirm: z.string().describe('The password again'),
      end_everything: z
        .boolean()
        .optional()
        .describe(
          'Somebody else was in the account: ends API keys, linked accounts, webhook addresses and the phone number too',
        ),
      keep_set_up: z
        .boolean()
        .optional()
        .describe(
          'Only where the address was confirmed without the password: keeps the API keys, linked accounts, webhook addresses, phone number and shops that this first reset ends otherwise',
        ),
    }),
    'password',
    'password_confirm',
  ),
  replies: { 200: Detail },
  errors: ['code_invalid'],
  audit: 'password.reset',
})

/** Ends all tokens and returns a new one, so that this device stays signed in. */
export const changePassword = route({
  summary: 'Change the password',
  method: 'POST',
  path: '/api/auth/password/change/',
  auth: 'bearer',
  body: confirmed(
    z.strictObject({
      current_password: GivenPassword.describe('The password in use'),
      new_password: NewPassword.describe('The new password'),
      new_password_confirm: z.string().describe('The new password again'),
    }),
    'new_password',
    'new_password_confirm',
  ),
  replies: {
    200: z.object({
      detail: z.string().describe('A sentence for people'),
      token: z.string().describe('The bearer token'),
    }),
  },
  errors: ['wrong_password'],
  audit: 'password.changed',
})

/** Renews the authentication that sensitive changes require. Exactly one proof is given. */
export const reauthenticate = route({
  summary: 'Prove again who you are, before a sensitive change',
  method: 'POST',
  path: '/api/auth/reauthenticate/',
  auth: 'bearer',
  body: z
    .strictObject({
      password: GivenPassword.optional().describe('The password'),
      phone: z
        .strictObject({
          signin_token: OneTimeToken.describe('The token of this sign-in'),
          code: Code.describe('The code of the message'),
        })
        .optional()
        .describe("Token and code of `POST /api/auth/login/phone/begin/` for the account's own number"),
      totp_code: Code.optional().describe('The code of an authenticator app'),
      recovery_code: Code.optional().describe('A recovery code'),
      passkey: PasskeyAnswer.optional().describe('The answer of a passkey'),
    })
    .refine((body) => Object.values(body).filter((proof) => proof !== undefined).length === 1, {
      message: 'needs exactly one proof',
    }),
  replies: { 200: Detail },
  errors: ['wrong_password', 'code_invalid', 'passkey_refused'],
  audit: 'session.confirmed',
  worksOnLowDisk: true,
})

/**
 * Links an identity for signing in (Apple) or as a known shop owner (eBay, Etsy); opens no session. A linked Apple
 * account signs in without a code, so linking requires the same authentication as changing second factors.
 */
export const connectSocialAccount = route({
  summary: 'Link an account of another service',
  method: 'POST',
  path: '/api/auth/connect-social/',
  auth: 'bearer',
  recentProof: 'strict',
  body: z.strictObject({
    token: z.string().min(1).max(20_000).describe('The bearer token'),
    provider: z.enum(['apple', 'ebay', 'etsy']).describe('The service'),
    authorization_code: z
      .string()
      .min(1)
      .max(4_000)
      .optional()
      .describe(
        'With `apple`: the code that Apple gave beside the token; the grant is then revoked when the link ends',
      ),
  }),
  replies: { 200: Detail },
  errors: ['invalid_identity_token', 'identity_in_use', 'platform_not_configured', 'platform_failed'],
  audit: 'identity.linked',
})

/** Always 200; the masked address is texted to the verified number. */
export const recoverEmail = route({
  summary: 'Recover the email address by phone',
  method: 'POST',
  path: '/api/auth/email/recover/',
  auth: 'none',
  body: z.strictObject({ phone_number: PhoneText, full_name: FullName.optional() }),
  replies: { 200: Detail },
})

export const getEmailVerification = route({
  summary: "Whether the account's email address is verified",
  method: 'GET',
  path: '/api/auth/email-verification/',
  auth: 'bearer',
  replies: {
    200: z.object({
      email: z.string().nullable().describe('The email address'),
      email_verified: z.boolean().describe('Whether the email address is confirmed'),
      mails_at: z.string().optional().describe('The page that shows all mails, in a sandbox alone'),
    }),
  },
})

export const requestEmailVerification = route({
  summary: 'Ask for a verification mail',
  method: 'POST',
  path: '/api/auth/email-verification/request/',
  auth: 'bearer',
  replies: { 200: Detail },
  errors: ['conflict'],
})

export const confirmEmailVerification = route({
  summary: 'Verify the email address with the token of the mail',
  method: 'POST',
  path: '/api/auth/email-verification/confirm/',
  auth: 'none',
  body: z.strictObject({
    token: OneTimeToken.describe('The bearer token'),
    password: GivenPassword.optional().describe(
      'The password of the account. Without it, the first password reset ends everything that was set up before',
    ),
  }),
  replies: { 200: Detail },
  errors: ['code_invalid', 'wrong_password'],
  audit: 'email.verified',
})

/** A person's right to a copy of their data. */
export const exportAccount = route({
  summary: 'Everything about the account, as one JSON document',
  method: 'GET',
  path: '/api/v1/user/export/',
  auth: 'bearer',
  streamed: true,
  notes:
    'Without passwords, keys and other secrets. At most five an hour. `data` has the rows of each kind by its name.',
  replies: {
    200: z.object({
      exported_at: z.iso.datetime().describe('When the document was written'),
      account: z.record(z.string(), z.unknown()).describe('The account'),
      data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).describe('The contents'),
    }),
  },
})

/** Cannot be undone through the API. */
export const deactivateAccount = route({
  summary: 'Close the account',
  method: 'POST',
  path: '/api/v1/user/deactivate/',
  auth: 'bearer',
  recentProof: 'usual',
  replies: { 200: z.object({ message: z.string().describe('A sentence for people') }) },
  audit: 'account.closed',
})

export const accounts = {
  registerByEmail,
  logInByPassword,
  validateToken,
  logOut,
  beginPhoneRegistration,
  verifyPhoneRegistration,
  beginPhoneLogin,
  verifyPhoneLogin,
  signInWithApple,
  requestPasswordReset,
  verifyPasswordReset,
  confirmPasswordReset,
  changePassword,
  reauthenticate,
  connectSocialAccount,
  recoverEmail,
  getEmailVerification,
  requestEmailVerification,
  confirmEmailVerification,
  exportAccount,
  deactivateAccount,
}
