import { attemptRules, refundAttempts, waitFirst } from '#server/accounts/limits/attempts.ts'
import { type Client, deviceOf, networkOf } from '#server/accounts/sessions/origin.ts'
import { recordDevice } from '#server/accounts/sessions/record-device.ts'
import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import type { Database } from '#server/infra/db/index.ts'
import { retried, transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { User } from '#shared/contract/account/accounts.ts'
import { beginSecondStep, secondFactorRequired } from '../pending-sign-in.ts'
import * as sql from './queries.ts'

/** A sign-in by password. */
export interface SignIn {
  /** HMACs of the given address and of the client's network. */
  subject: Buffer
  network: Buffer
  /** The normalized address; null if no account can have it. */
  email: string | null
}

interface SignInAccount extends User {
  password_hash: string | null
  state: string
  /** The account was signed in to from this network before. */
  is_known_network: boolean
}

const ruleOf = ({ max, window, first, longest }: (typeof attemptRules)['login' | 'login-account']) => [
  ...[max, window, first, longest],
]

/**
 * Counts a sign-in before it is tried and finds its account; null if there is none. Counts by network and, from networks
 * unknown to the account, by account. Throws `rate_limited`; `unavailable` for unknown networks while `withStrangers` is
 * false.
 */
export async function beginSignIn(
  db: Database,
  { subject, network, email }: SignIn,
  withStrangers: boolean,
): Promise<SignInAccount | null> {
  const values = {
    ...{ subject, network, email, with_strangers: withStrangers },
    ...{ by_network: ruleOf(attemptRules.login), by_account: ruleOf(attemptRules['login-account']) },
  }
  const row = await retried(() => db.one(sql.beginSignIn(values)))
  const { id, network_allowed, network_wait, account_allowed, account_wait, ...account } = row
  if (network_allowed === null) throw tooManySignIns()
  if (!network_allowed) throw waitFirst('Too many failed sign-ins. Wait, or ask for a new password.', network_wait)
  if (account_allowed === false) throw waitFirst(tooManyInARow, account_wait)
  return id === null ? null : { ...account, id }
}

/** Takes back a counted sign-in that was not tried. */
export function undoSignIn(db: Database, { subject, network }: SignIn, account: SignInAccount | null): Promise<void> {
  // From a known network only the network was counted.
  const kinds = account?.is_known_network ? (['login'] as const) : (['login', 'login-account'] as const)
  return retried(() => refundAttempts(db, [...kinds], subject, network))
}

/**
 * Opens a session after the right password, deletes the failures and records the network. Returns the bearer token; null
 * if the account was closed or its password changed meanwhile. Writes the mail about a new device first. Throws
 * `second_factor_required` for an account that has one.
 */
export async function finishSignIn(
  services: Services,
  account: SignInAccount,
  { subject, network }: SignIn,
  client: Client,
): Promise<string | null> {
  const { db, config } = services
  const token = newSecret('hpxt')
  const values = {
    ...{ subject, network, user_id: account.id, password_hash: account.password_hash, token_hash: hashSecret(token) },
    device: deviceOf(config, client),
    address: networkOf(client.address),
    user_agent: client.userAgent,
  }
  const holder = await retried(() => db.oneOrNone(sql.finishSignIn(values)))
  if (!holder) return null
  if (holder.has_second_factor) {
    const pending = await beginSecondStep(db, account.id, account.password_hash)
    // The password, or the second factor, was changed just now.
    if (!pending) return null
    throw secondFactorRequired(account.id, pending)
  }
  if (!holder.is_known_device)
    await transaction(db, 'record-device', (tx) => recordDevice(services, tx, account.id, client))
  return token
}

const tooManyInARow = 'Too many failed sign-ins from places where you never signed in. Ask for a new password, or wait.'

/** The error for unknown networks while the hash queue is full. */
const tooManySignIns = () =>
  problem('unavailable', 'Too many people are signing in right now. Try again in a moment.', { retryAfterSeconds: 2 })
