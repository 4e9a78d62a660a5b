import { Secret, TOTP } from 'otpauth'
import { plainCode } from '#server/accounts/contact/pasted-text.ts'
import { limitSubject, totpKey } from '#server/accounts/limits/account-keys.ts'
import { type Attempted, countAttempt, forgiveAttempts } from '#server/accounts/limits/attempts.ts'
import { type LockedUser, lockUser } from '#server/http/lock-user.ts'
import { DecryptionError, decrypt, encrypt } from '#server/infra/crypto/encrypt.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { secondFactorMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'

/** Seconds that a new secret waits for its first code. */
const confirmSeconds = 900
/** Period of a code (RFC 6238) in seconds; the previous and next one count too. */
const period = 30

/** Returns the second factors of an account. */
export const secondFactorOf = (queries: Queries, userId: number) => queries.one(sql.findState({ user_id: userId }))

/**
 * Creates a secret for an authenticator app. Sign-in does not change until `confirmTotp`. Throws `conflict` if one is
 * in use.
 */
export async function beginTotp(
  services: Services,
  user: { id: number; name: string },
): Promise<{ secret: string; otpauth_uri: string; expires_at: string }> {
  const secret = new Secret({ size: 20 })
  const row = await services.db.oneOrNone(
    sql.beginTotp({
      user_id: user.id,
      encrypted_secret: encrypt(secret.base32, placeOf(user.id), totpKey(services.config)),
      seconds: confirmSeconds,
    }),
  )
  if (!row) throw alreadyOn()
  const otpauth_uri = new TOTP({ issuer: 'Hapax', label: user.name, secret, period }).toString()
  return { secret: secret.base32, otpauth_uri, ...row }
}

/**
 * Enables the second factor with the app's first code and returns recovery codes. Other sessions stay. Throws
 * `code_invalid`, `conflict`, `rate_limited`.
 */
export async function confirmTotp(services: Services, userId: number, code: string): Promise<string[]> {
  await countTry(services, userId)
  return transaction(services.db, 'confirm-totp', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw problem('unauthenticated')
    const found = await tx.oneOrNone(sql.findTotp({ user_id: userId, seconds: confirmSeconds }))
    if (found?.is_confirmed) throw alreadyOn()
    const step = found && stepOf(services, userId, found, code)
    if (step === null) throw codeRefused(userId)
    await tx.one(sql.confirmTotp({ user_id: userId, step }))
    await forgiveTries(services, tx, userId)
    await tell(services, tx, user, 'on')
    return replaceRecoveryCodes(tx, userId)
  })
}

/** Disables the second factor. Throws `not_found` if it is off. */
export async function removeTotp(services: MailServices, userId: number): Promise<void> {
  await transaction(services.db, 'remove-totp', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || !(await tx.oneOrNone(sql.removeTotp({ user_id: userId })))) throw notFound()
    await tell(services, tx, user, 'off')
  })
}

/** Replaces the recovery codes and returns the new ones. Throws `conflict` without a second factor. */
export async function renewRecoveryCodes(services: Services, userId: number): Promise<string[]> {
  return transaction(services.db, 'renew-recovery-codes', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || !(await secondFactorOf(tx, userId)).totp_confirmed_at) {
      throw problem('conflict', 'There is no second factor: set up an authenticator app first.')
    }
    await tell(services, tx, user, 'codes')
    return replaceRecoveryCodes(tx, userId)
  })
}

/** Counts an attempt at an account's second factor before the check. Throws `rate_limited`. */
export const countTry = (services: Services, userId: number) =>
  countAttempt(services.db, triesOf(services, userId), 'Too many wrong codes. Wait before you try again.')

/** Resets the failures after a success. */
export const forgiveTries = (services: Services, queries: Queries, userId: number) =>
  forgiveAttempts(queries, ['second-factor'], triesOf(services, userId).subject, null)

/**
 * Checks a code or recovery code and uses it up, in the transaction of its effect. The attempt is already counted.
 * Throws `code_invalid`.
 */
export async function useSecondFactor(
  services: Services,
  queries: Queries,
  userId: number,
  given: { code?: string; recovery_code?: string },
): Promise<void> {
  const right =
    given.recovery_code !== undefined
      ? await useRecoveryCode(queries, userId, given.recovery_code)
      : await useCode(services, queries, userId, given.code ?? '')
  if (!right) throw codeRefused(userId)
  await forgiveTries(services, queries, userId)
}

async function useCode(services: Services, queries: Queries, userId: number, code: string): Promise<boolean> {
  const found = await queries.oneOrNone(sql.findTotp({ user_id: userId, seconds: 0 }))
  const step = found && stepOf(services, userId, found, code)
  return step !== null && (await queries.oneOrNone(sql.useStep({ user_id: userId, step }))) !== null
}

interface StoredSecret {
  encrypted_secret: Buffer
  is_confirmed: boolean
}

/** Returns the 30-second step of a code; null if it is not the previous, current or next one. */
function stepOf(
  { config, now }: Services,
  userId: number,
  { encrypted_secret }: StoredSecret,
  given: string,
): number | null {
  const token = plainCode(given)
  if (!/^\d{6}$/.test(token)) return null
  const secret = Secret.fromBase32(decryptSecret(config, userId, encrypted_secret))
  const timestamp = now().getTime()
  const delta = new TOTP({ secret, period }).validate({ token, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1000 / period) + delta
}

/** Returns the secret in base32. Throws `code_invalid` if it was encrypted with a lost SECRET_KEY. */
function decryptSecret(config: Services['config'], userId: number, encrypted: Buffer): string {
  try {
    return decrypt(encrypted, placeOf(userId), totpKey(config))
  } catch (cause) {
    if (!(cause instanceof DecryptionError && cause.reason === 'unknown_key')) throw cause
    const detail =
      'The authenticator app no longer works here. Use a recovery code or passkey, then set the app up anew.'
    throw problem('code_invalid', detail, { cause, userId })
  }
}

type MailServices = Pick<Services, 'db' | 'config' | 'jobs'>

async function tell(services: MailServices, queries: Queries, user: LockedUser, what: 'on' | 'off' | 'codes') {
  if (user.email === null) return
  await enqueueMessage(services, queries, {
    template: 'second-factor',
    user_id: user.id,
    message: secondFactorMail(user.email, what, services.config.PUBLIC_URL),
    expiresInSeconds: 86_400,
  })
}

const placeOf = (userId: number) => `totp_secret/${userId}`

export const encryptedTotpSecrets: EncryptedColumn = {
  table: 'totp_secret',
  column: 'encrypted_secret',
  key: ['user_id'],
  purpose: 'totp-secret',
  placeOf: ({ user_id }) => placeOf(Number(user_id)),
}

const triesOf = ({ config }: Services, userId: number): Attempted => ({
  kind: 'second-factor',
  subject: limitSubject(config, `second factor ${userId}`),
  network: Buffer.alloc(0),
})

const alreadyOn = () => problem('conflict', 'An authenticator app is set up already. Remove it first.')
const codeRefused = (userId: number) =>
  problem('code_invalid', 'This code does not work: it is wrong, was used, or has expired.', { userId })
