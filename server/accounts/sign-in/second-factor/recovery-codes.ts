import { randomInt } from 'node:crypto'
import { plainText } from '#server/accounts/contact/pasted-text.ts'
import { hashSecret } from '#server/http/credentials/credentials.ts'
import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/** Codes per account. */
const count = 10
/** Without characters that look alike. */
const alphabet = 'abcdefghjkmnpqrstvwxyz23456789'

/** Returns six groups of four characters: 117 random bits, so a plain SHA-256 is enough to store it. */
function newRecoveryCode(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 6 }, group).join('-')
}

/** Replaces the account's recovery codes and returns the new ones, which are shown once. */
export async function replaceRecoveryCodes(queries: Queries, userId: number): Promise<string[]> {
  const codes = Array.from({ length: count }, newRecoveryCode)
  await queries.none(sql.replaceRecoveryCodes({ user_id: userId, hashes: codes.map(hashOf) }))
  return codes
}

/** Uses up a recovery code. Returns false if the account has no such code. */
export async function useRecoveryCode(queries: Queries, userId: number, given: string): Promise<boolean> {
  return (await queries.oneOrNone(sql.useRecoveryCode({ user_id: userId, code_hash: hashOf(given) }))) !== null
}

/** Ignores case and grouping. */
const hashOf = (code: string) =>
  hashSecret(
    plainText(code)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  )
