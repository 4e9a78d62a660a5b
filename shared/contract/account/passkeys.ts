import { z } from 'zod'
import { UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'
import { OneTimeToken, Session as SignedIn } from './accounts.ts'
import { Created, PasskeyAnswer } from './passkey-answer.ts'

const route = routesOf('Second factor')

/** A passkey of the account, without its key. */
export const Passkey = z
  .object({
    uid: z.string().describe('The id'),
    name: z.string().describe('The name'),
    created_at: z.iso.datetime().describe('When it was created'),
    last_used_at: z.iso.datetime().nullable().describe('When it was last used'),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof Passkey>

const Name = z.string().trim().min(1).max(100).describe('The name')
const params = UidParams('psk')
const Begun = z.object({
  challenge_token: z.string().describe('The token of the first step'),
  expires_at: z.iso.datetime().describe('When it expires'),
  options: z
    .record(z.string(), z.unknown())
    .describe('For `PublicKeyCredential.parseCreationOptionsFromJSON` or its sibling'),
})

export const listPasskeys = route({
  summary: 'List the passkeys of the account',
  method: 'GET',
  path: '/api/v1/user/passkeys/',
  auth: 'bearer',
  replies: { 200: z.array(Passkey) },
})

export const beginPasskey = route({
  summary: 'Begin adding a passkey',
  method: 'POST',
  path: '/api/v1/user/passkeys/begin/',
  auth: 'bearer',
  replies: { 200: Begun },
  errors: ['conflict'],
  recentProof: 'strict',
})

export const addPasskey = route({
  summary: 'Add the passkey that the browser made',
  method: 'POST',
  path: '/api/v1/user/passkeys/',
  auth: 'bearer',
  body: z.strictObject({
    challenge_token: OneTimeToken.describe('The token of the first step'),
    name: Name,
    response: Created.describe('As the browser returns it'),
  }),
  replies: { 201: Passkey },
  errors: ['passkey_refused', 'conflict'],
  recentProof: 'strict',
  audit: 'passkey.created',
})

export const renamePasskey = route({
  summary: 'Rename a passkey',
  method: 'PATCH',
  path: '/api/v1/user/passkeys/{uid}/',
  auth: 'bearer',
  params,
  body: z.strictObject({ name: Name }),
  replies: { 200: Passkey },
})

export const removePasskey = route({
  summary: 'Remove a passkey; it no longer signs in',
  method: 'DELETE',
  path: '/api/v1/user/passkeys/{uid}/',
  auth: 'bearer',
  params,
  replies: { 204: null },
  recentProof: 'strict',
  audit: 'passkey.deleted',
})

/** Names no account; the passkey identifies it. */
export const beginPasskeyLogin = routesOf('Accounts')({
  summary: 'Sign in with a passkey: get the challenge',
  method: 'POST',
  path: '/api/auth/login/passkey/begin/',
  auth: 'none',
  replies: { 200: Begun },
  errors: ['conflict'],
  issuesToken: true,
})

/** A passkey with user verification is two factors, so no other is required. */
export const logInByPasskey = routesOf('Accounts')({
  summary: 'Sign in with a passkey',
  method: 'POST',
  path: '/api/auth/login/passkey/',
  auth: 'none',
  body: PasskeyAnswer,
  replies: { 200: SignedIn },
  errors: ['passkey_refused'],
  issuesToken: true,
  audit: 'session.created',
})

export const passkeys = {
  listPasskeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  beginPasskeyLogin,
  logInByPasskey,
}
