import { Secret, TOTP } from 'otpauth'
import { type LockedUser, lockUser } from '#server/http/lock-user.ts'
import type { SealedColumn } from '#server/infra/crypto/reseal.ts'
import { open, SealError, seal } from '#server/infra/crypto/seal.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { secondFactorMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import { accountKeys, limitSubject } from '../account-keys.ts'
import { type Attempted, countAttempt, forgiveAttempts } from '../attempts.ts'
import { replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'

const beginSql = sql(import.meta.url, './sql/begin-totp.sql')
const findTotp = sql(import.meta.url, './sql/find-totp.sql')
const confirmSql = sql(import.meta.url, './sql/confirm-totp.sql')
const useStep = sql(import.meta.url, './sql/use-step.sql')
const removeSql = sql(import.meta.url, './sql/remove-totp.sql')
const findState = sql(import.meta.url, './sql/find-state.sql')

/** How long a secret that was shown waits for its first code, in seconds. */
const confirmSeconds = 900
/** Of a code (RFC 6238), in seconds; one before and one after now count too. */
const period = 30

/** The second factors that a sign-in to the account asks for. */
export interface SecondFactorState {
  totp_confirmed_at: string | null
  recovery_codes_left: number
  passkeys: number
}

/** The second factors of an account. */
export const secondFactorOf = (queries: Queries, userId: number) =>
  queries.one<SecondFactorState>(findState, { user_id: userId })

/**
 * Makes a secret for an authenticator app. Nothing changes at sign-in until `confirmTotp`. Throws `conflict` where one is
 * in use.
 */
export async function beginTotp(
  services: Services,
  user: { id: number; name: string },
): Promise<{ secret: string; otpauth_uri: string; expires_at: string }> {
  const secret = new Secret({ size: 20 })
  const row = await services.db.oneOrNone<{ expires_at: string }>(beginSql, {
    user_id: user.id,
    encrypted_secret: seal(secret.base32, placeOf(user.id), accountKeys(services.config).totp),
    seconds: confirmSeconds,
  })
  if (!row) throw alreadyOn()
  const otpauth_uri = new TOTP({ issuer: 'Hapax', label: user.name, secret, period }).toString()
  return { secret: secret.base32, otpauth_uri, ...row }
}

/**
 * Switches the second factor on with the first code of the app, and returns recovery codes. The other sessions stay.
 * Throws `code_invalid`, `conflict`, `rate_limited`.
 */
export async function confirmTotp(services: Services, userId: number, code: string): Promise<string[]> {
  await countTry(services, userId)
  return services.db.tx('confirm-totp', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw problem('unauthenticated')
    const found = await tx.oneOrNone<StoredSecret>(findTotp, { user_id: userId, seconds: confirmSeconds })
    if (found?.is_confirmed) throw alreadyOn()
    const step = found && stepOf(services, userId, found, code)
    if (step === null) throw codeRefused(userId)
    await tx.one(confirmSql, { user_id: userId, step })
    await forgiveTries(services, tx, userId)
    await tell(services, tx, user, 'on')
    return replaceRecoveryCodes(tx, userId)
  })
}

/** Switches the second factor off. Throws `not_found` where it is off. */
export async function removeTotp(services: MailServices, userId: number): Promise<void> {
  await services.db.tx('remove-totp', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || !(await tx.oneOrNone(removeSql, { user_id: userId }))) throw notFound()
    await tell(services, tx, user, 'off')
  })
}

/** New recovery codes in place of the old ones. Throws `conflict` where there is no second factor. */
export async function renewRecoveryCodes(services: Services, userId: number): Promise<string[]> {
  return services.db.tx('renew-recovery-codes', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || !(await secondFactorOf(tx, userId)).totp_confirmed_at) {
      throw problem('conflict', 'There is no second factor: set up an authenticator app first.')
    }
    await tell(services, tx, user, 'codes')
    return replaceRecoveryCodes(tx, userId)
  })
}

/** Counts a try of an account's second factor before it is looked at. Throws `rate_limited`. */
export const countTry = (services: Services, userId: number) =>
  countAttempt(services.db, triesOf(services, userId), 'Too many wrong codes. Wait before you try again.')

/** Forgets the failed tries after a right one. */
export const forgiveTries = (services: Services, queries: Queries, userId: number) =>
  forgiveAttempts(queries, ['second-factor'], triesOf(services, userId).subject, null)

/**
 * Checks a code or a recovery code of an account and uses it up, in the transaction of what it allows. The try was counted.
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
  const found = await queries.oneOrNone<StoredSecret>(findTotp, { user_id: userId, seconds: 0 })
  const step = found && stepOf(services, userId, found, code)
  return step !== null && (await queries.oneOrNone(useStep, { user_id: userId, step })) !== null
}

interface StoredSecret {
  encrypted_secret: Buffer
  is_confirmed: boolean
}

/** The 30 second step that a code belongs to; null when it is none of the last, this and the next. */
function stepOf(
  { config, now }: Services,
  userId: number,
  { encrypted_secret }: StoredSecret,
  given: string,
): number | null {
  const token = given.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const secret = Secret.fromBase32(openSecret(config, userId, encrypted_secret))
  const timestamp = now().getTime()
  const delta = new TOTP({ secret, period }).validate({ token, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1000 / period) + delta
}

/** The secret in base32. Throws `code_invalid` where it was sealed under another SECRET_KEY: its codes are lost. */
function openSecret(config: Services['config'], userId: number, sealed: Buffer): string {
  try {
    return open(sealed, placeOf(userId), accountKeys(config).totp)
  } catch (cause) {
    if (!(cause instanceof SealError && cause.reason === 'unknown_key')) throw cause
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

export const sealedTotpSecrets: SealedColumn = {
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
