import { z } from 'zod'
import { route } from './route.ts'

/** User as most answers show it (spec 2.2). */
export const User = z.object({ id: z.int(), username: z.string(), email: z.string().nullable() }).meta({ id: 'User' })
export type User = z.infer<typeof User>

/** User as the phone registration shows it (spec 4.6). */
export const VerifiedUser = User.extend({ phone_verified: z.boolean(), email_verified: z.boolean() })

export const Detail = z.object({ detail: z.string() })
const Session = z.object({ user: User, token: z.string() })

/**
 * A password to be set (spec 5.8, decisions 4): 8 to 128 characters with a letter and a number, taken as it is.
 * That it is not among the common ones is checked by the server, which has the list.
 */
export const NewPassword = z
  .string()
  .max(1024, 'must have at most 128 characters')
  // Counted as a person counts, and as JSON Schema does: an emoji is one character, not two.
  .refine((text) => [...text].length >= 8, 'must have at least 8 characters')
  .refine((text) => [...text].length <= 128, 'must have at most 128 characters')
  .regex(/\p{L}/u, 'must contain a letter')
  .regex(/\p{N}/u, 'must contain a number')
  .meta({ minLength: 8, maxLength: 128 })

/** A password to be compared: any text that could be one. */
export const GivenPassword = z.string().min(1).max(1024)

/** An e-mail address as typed; normalising and judging it is the server's (server/contact). */
export const EmailText = z.string().min(3).max(320)

/** Full name (spec 4.5, 8): at most 150 characters, kept as plain text. */
export const FullName = z.string().max(150)

const confirmed = <Shape extends z.ZodType>(schema: Shape, field: string, confirm: string) =>
  schema.refine((body) => (body as Record<string, unknown>)[field] === (body as Record<string, unknown>)[confirm], {
    path: [confirm],
    message: `must equal ${field}`,
  })

/** 4.5 */
export const registerByEmail = route({
  summary: 'Register with an e-mail address',
  section: '4.5',
  tag: 'Accounts',
  method: 'POST',
  path: '/api/auth/register/email/',
  auth: 'none',
  body: confirmed(
    z.strictObject({
      email: EmailText,
      password: NewPassword,
      password_confirm: z.string(),
      full_name: FullName.optional(),
    }),
    'password',
    'password_confirm',
  ),
  replies: { 201: Session },
  errors: ['email_in_use'],
  issuesToken: true,
})

/** d4: a token can be lost, and the specification gives no other way to a new one. */
export const logInByPassword = route({
  summary: 'Sign in with e-mail and password',
  section: 'd4',
  tag: 'Accounts',
  method: 'POST',
  path: '/api/auth/login/',
  auth: 'none',
  body: z.strictObject({ email: EmailText, password: GivenPassword }),
  replies: { 200: Session },
  errors: ['invalid_credentials'],
  issuesToken: true,
})

/** 4.3 */
export const validateToken = route({
  summary: 'Is my token still valid?',
  section: '4.3',
  tag: 'Accounts',
  method: 'GET',
  path: '/api/auth/validate/',
  auth: 'bearer',
  replies: { 200: z.object({ valid: z.literal(true), user: User }) },
})

/** 4.4 */
export const logOut = route({
  summary: 'End the current token',
  section: '4.4',
  tag: 'Accounts',
  method: 'POST',
  path: '/api/auth/logout/',
  auth: 'bearer',
  replies: { 200: Detail },
})

export const accounts = { registerByEmail, logInByPassword, validateToken, logOut }
