import { randomInt } from 'node:crypto'
import { hashSecret } from '#server/http/credentials.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'

const replaceCodes = sql(import.meta.url, './sql/replace-recovery-codes.sql')
const useCode = sql(import.meta.url, './sql/use-recovery-code.sql')

/** How many an account gets. */
const count = 10
/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstvwxyz23456789'

/** Six groups of four characters: 117 random bits, so that a plain SHA-256 is enough to store. */
function newRecoveryCode(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 6 }, group).join('-')
}

/** Gives an account new recovery codes in place of the old ones, and returns them: they are shown this once. */
export async function replaceRecoveryCodes(queries: Queries, userId: number): Promise<string[]> {
  const codes = Array.from({ length: count }, newRecoveryCode)
  await queries.none(replaceCodes, { user_id: userId, hashes: codes.map(hashOf) })
  return codes
}

/** Uses a recovery code up. False when the account has no such code any more. */
export async function useRecoveryCode(queries: Queries, userId: number, given: string): Promise<boolean> {
  return (await queries.oneOrNone(useCode, { user_id: userId, code_hash: hashOf(given) })) !== null
}

/** However it was typed: with other groups, in capitals. */
const hashOf = (code: string) => hashSecret(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
