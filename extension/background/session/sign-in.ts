import type { Client } from '#shared/client/declared-client.ts'
import { HapaxError } from '#shared/client/error.ts'
import { logInByPassword, logOut } from '#shared/contract/account/accounts.ts'
import { createApiKey } from '#shared/contract/account/api-keys.ts'
import { logInBySecondFactor } from '#shared/contract/account/second-factor.ts'
import { listPlatforms } from '#shared/contract/connections.ts'
import type { Scope } from '#shared/contract/declaring/route.ts'
import { endExtensionKey } from '#shared/contract/extension.ts'
import { clientOf, type Fetch, openClient, ServerUnreachable } from './api.ts'
import type { Session } from './session.ts'

/** The least that the extension needs. A stolen key can change items, but cannot reach the account. */
const keyScopes: Scope[] = ['platforms:read', 'imports:run', 'inventory:read', 'inventory:write', 'listings:write']

interface SignInDeps {
  fetch: Fetch
  now: () => number
  /** Name of the key on the server, such as "Hapax extension (Chrome)". */
  keyName: string
}

/**
 * Signs in with email and password, creates an API key and ends the bearer token. `tokenEnded` is false if that request
 * failed. Throws HapaxError or ServerUnreachable.
 */
export async function signInByPassword(
  request: { server: string; email: string; password: string },
  deps: SignInDeps,
): Promise<{ session: Session; tokenEnded: boolean }> {
  const { server, email, password } = request
  return enter(server, await openClient(server, deps.fetch)(logInByPassword, { body: { email, password } }), deps)
}

/** Completes a sign-in with an authenticator or recovery code. Throws like `signInByPassword`, and `code_invalid`. */
export async function signInBySecondFactor(
  request: { server: string; signin_token: string; code: string },
  deps: SignInDeps,
): Promise<{ session: Session; tokenEnded: boolean }> {
  const { server, signin_token } = request
  const code = request.code.replace(/\s/g, '')
  const proof = /^\d{6}$/.test(code) ? { code } : { recovery_code: code }
  const signedIn = await openClient(server, deps.fetch)(logInBySecondFactor, { body: { signin_token, ...proof } })
  return enter(server, signedIn, deps)
}

/** Creates the extension's own key with a bearer token and ends the token. */
async function enter(
  server: string,
  { user, token }: { user: NonNullable<Session['user']>; token: string },
  deps: SignInDeps,
): Promise<{ session: Session; tokenEnded: boolean }> {
  const { value, ended } = await withBearer(server, token, deps.fetch, (call) =>
    call(createApiKey, { body: { name: deps.keyName, scopes: keyScopes } }),
  )
  const { id, name, key } = value
  const session = { server, key, key_id: id, key_name: name, user, status: 'active', signed_in_at: deps.now() } as const
  return { session, tokenEnded: ended }
}

/** Signs in with a pasted API key after checking it. Throws like `signInByPassword`. */
export async function signInByKey(request: { server: string; key: string }, deps: SignInDeps): Promise<Session> {
  const { server, key } = request
  await openClient(server, deps.fetch, { apiKey: key })(listPlatforms, {})
  return { server, key, key_id: null, key_name: null, user: null, status: 'active', signed_in_at: deps.now() }
}

/** How long signing out waits for the server, in ms. Local data is deleted before. */
const endKeyMs = 5_000

/**
 * Ends the key created at sign-in. Returns false if the server did not confirm, and null for a pasted key, which stays
 * valid.
 */
export async function endKey(session: Session, fetch: Fetch): Promise<boolean | null> {
  if (session.key_id === null) return null
  try {
    await clientOf(session, fetch, endKeyMs)(endExtensionKey, { params: { pk: session.key_id } })
    return true
  } catch (error) {
    if (error instanceof HapaxError) return error.code === 'unauthenticated'
    if (error instanceof ServerUnreachable) return false
    throw error
  }
}

/** Runs `act` with a bearer token and always ends it. Returns whether it was ended. */
async function withBearer<T>(
  server: string,
  token: string,
  fetch: Fetch,
  act: (call: Client) => Promise<T>,
): Promise<{ value: T; ended: boolean }> {
  const call = openClient(server, fetch, { token })
  // Try twice, since the network may have failed briefly.
  const end = () =>
    call(logOut, {})
      .catch(() => call(logOut, {}))
      .then(
        () => true,
        () => false,
      )
  try {
    const value = await act(call)
    return { value, ended: await end() }
  } catch (error) {
    await end()
    throw error
  }
}
