import type { IncomingHttpHeaders } from 'node:http'
import { type HttpProblem, problem } from '#server/infra/errors.ts'
import type { User } from '#shared/contract/account/accounts.ts'
import type { Auth, Scope } from '#shared/contract/declaring/route.ts'
import type { Allowance } from '../allowance.ts'
import { hashSecret, secretKind } from './credentials.ts'

interface Holder {
  user_id: number
  /** The user as most responses show it, read with the credential. */
  user: User
  /** The general limits with this request counted; empty where the database could not count it. */
  allowances?: Allowance[]
}

export interface BearerPrincipal extends Holder {
  kind: 'bearer'
  token_hash: Buffer
  /** Seconds since the holder last authenticated. */
  proof_age: number
}

export interface KeyPrincipal extends Holder {
  kind: 'api_key'
  key_id: string
  key_name: string
  scopes: readonly Scope[]
}

export type Principal = BearerPrincipal | KeyPrincipal

/** Finds the holder of a live credential. Null if it is unknown, ended or expired, or the account is closed. */
export interface CredentialStore {
  findBearer(tokenHash: Buffer): Promise<BearerPrincipal | null>
  findApiKey(keyHash: Buffer): Promise<KeyPrincipal | null>
}

/** Finds the holder of a live API key without counting a request. */
export interface UncountedKeys {
  findKeyUncounted(keyHash: Buffer): Promise<KeyPrincipal | null>
}

/** Reads the credential of a request from its headers. */
export function readCredential(headers: IncomingHttpHeaders, raw: readonly string[]): ReadCredential {
  const authorizations = countHeader(raw, 'authorization')
  const keys = countHeader(raw, 'x-api-key')
  if (authorizations > 0 && keys > 0) return { kind: 'ambiguous' }
  if (authorizations > 1 || keys > 1) return { kind: 'malformed' }
  if (authorizations === 0 && keys === 0) return { kind: 'none' }
  const secret = keys === 1 ? String(headers['x-api-key']) : /^Bearer ([!-~]+)$/i.exec(headers.authorization ?? '')?.[1]
  const wanted = keys === 1 ? 'hpxk' : 'hpxt'
  if (!secret || secretKind(secret) !== wanted) return { kind: 'malformed' }
  return { kind: wanted === 'hpxk' ? 'api_key' : 'bearer', hash: hashSecret(secret) }
}

type ReadCredential =
  | { kind: 'none' }
  | { kind: 'ambiguous' }
  | { kind: 'malformed' }
  | { kind: 'bearer' | 'api_key'; hash: Buffer }

/** Authenticates the caller and checks the permission. Throws 400, 401 or 403, in this order. */
export async function authenticate(
  auth: Exclude<Auth, 'none'>,
  credential: ReadCredential,
  store: CredentialStore,
  onUnknown?: () => void,
): Promise<Principal> {
  const principal = await identify(credential, store, onUnknown)
  permit(auth, principal)
  return principal
}

/**
 * Authenticates the caller regardless of permissions. Throws 400 for two credentials, 401 for a missing or invalid one.
 * Queries the database only for a well-formed secret.
 */
export async function identify(
  credential: ReadCredential,
  store: CredentialStore,
  onUnknown?: () => void,
): Promise<Principal> {
  if (credential.kind === 'ambiguous') throw problem('ambiguous_credentials')
  if (credential.kind === 'none' || credential.kind === 'malformed') throw unauthenticated(credential.kind === 'none')
  const principal =
    credential.kind === 'bearer' ? await store.findBearer(credential.hash) : await store.findApiKey(credential.hash)
  if (!principal) {
    onUnknown?.()
    throw unauthenticated(false)
  }
  return principal
}

/** Throws 403 for the wrong kind of credential, or a key without the scope. */
export function permit(auth: Exclude<Auth, 'none'>, principal: Principal): void {
  if (principal.kind === 'bearer') return
  if (auth === 'bearer') throw problem('wrong_credential_kind', 'This needs a signed-in session, not an API key.')
  if (!principal.scopes.includes(auth.scope)) {
    throw problem('insufficient_scope', `This API key lacks the scope ${auth.scope}.`)
  }
}

function unauthenticated(missing: boolean): HttpProblem {
  const challenge = missing ? 'Bearer realm="hapax"' : 'Bearer realm="hapax", error="invalid_token"'
  return problem('unauthenticated', undefined, { headers: { 'www-authenticate': challenge } })
}

/** Counts the occurrences of a header; Node itself keeps one of some. */
export function countHeader(raw: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() === name) count++
  }
  return count
}
