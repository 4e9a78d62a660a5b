import { createHash, randomUUID } from 'node:crypto'
import { deferMessage } from '#server/accounts/contact/defer-message.ts'
import { plainCode } from '#server/accounts/contact/pasted-text.ts'
import { codeMac, sameMac } from '#server/accounts/limits/account-keys.ts'
import type { TextCaller } from '#server/accounts/limits/text-limits.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import { areTextsRefused } from '#server/infra/mail-sms/text-refusals.ts'
import type { Services } from '#server/services.ts'
import { randomDigits } from '../random-digits.ts'
import * as sql from './queries.ts'

/** Lifetime of a code in seconds, and its allowed attempts. */
const challengeSeconds = 600
const maxTries = 5

type ChallengePurpose = 'signup' | 'signin'

/** The data of a pending registration. */
interface PendingSignup {
  email: string | null
  password_hash: string | null
  invitation_hash: Buffer | null
  first_name: string
  last_name: string
}

export interface Challenge extends PendingSignup {
  token_hash: Buffer
  phone_number: string
}

const nothing: PendingSignup = {
  email: null,
  password_hash: null,
  invitation_hash: null,
  first_name: '',
  last_name: '',
}

/**
 * Begins a challenge of a number and enqueues its code. Returns the token that accompanies the code. Throws
 * `platform_not_configured` without a provider, and `unavailable` while it takes no texts of this server, whatever the
 * number.
 */
export async function beginChallenge(
  services: Services,
  queries: Queries,
  purpose: ChallengePurpose,
  phone: string,
  caller: TextCaller,
  signup: PendingSignup = nothing,
): Promise<{ token: string; expires_at: string }> {
  const { sandbox, TWILIO_ACCOUNT_SID } = services.config
  if (!sandbox && !TWILIO_ACCOUNT_SID) {
    throw problem('platform_not_configured', 'This server sends no texts. Use your email address instead.')
  }
  if (await areTextsRefused(queries)) {
    throw problem('unavailable', 'This server cannot send texts right now. Use your email address instead.', {
      retryAfterSeconds: challengeSeconds,
    })
  }
  const token = randomUUID()
  const code = randomDigits(6)
  const token_hash = hashOf(token)
  const { expires_at } = await queries.one(
    sql.insertChallenge({
      token_hash,
      purpose,
      phone_number: phone,
      code_mac: codeMac(services.config, token_hash, code),
      ...signup,
      expires_in: challengeSeconds,
    }),
  )
  await deferMessage(services, queries, { kind: `${purpose}-code`, phone, code, expires_at, caller })
  return { token, expires_at }
}

/**
 * Checks a code as it was typed or pasted, and returns its challenge. Counts the attempt first, so that concurrency allows no sixth. Throws
 * `code_invalid` for every fault.
 */
export async function answerChallenge(
  { config, db }: Services,
  purpose: ChallengePurpose,
  given: { token: string; code: string },
): Promise<Challenge> {
  const tried = await db.oneOrNone(
    sql.tryChallenge({
      token_hash: hashOf(given.token),
      purpose,
      max_tries: maxTries,
    }),
  )
  if (!tried) throw codeInvalid()
  const { code_mac, ...challenge } = tried
  if (!sameMac(code_mac, codeMac(config, challenge.token_hash, plainCode(given.code)))) throw codeInvalid()
  return challenge
}

/** Uses up a challenge in the transaction of its effect. Throws `code_invalid` if another request was faster. */
export async function consumeChallenge(queries: Queries, challenge: Challenge): Promise<void> {
  const used = await queries.oneOrNone(sql.useChallenge({ token_hash: challenge.token_hash }))
  if (!used) throw codeInvalid()
}

export const codeInvalid = () =>
  // The same for each number, since a known one's refusal would tell that it has an account.
  problem(
    'code_invalid',
    'This code does not work: it is wrong, was used, or has expired. Ask for a new one. If no text came, this phone may have answered STOP to an earlier one: answer START, or use your email address.',
  )

const hashOf = (token: string) => createHash('sha256').update(token).digest()
