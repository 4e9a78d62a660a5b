import { dictionary } from '@zxcvbn-ts/language-common'
import { invalidField } from '#server/infra/errors.ts'
import { platforms } from '#shared/platforms.ts'

/**
 * The common passwords that could pass the other rules, from zxcvbn's list of some 50,000 leaked ones. Its maintainers
 * follow the leaks.
 */
const common = new Set(
  dictionary['passwords-common'].filter((text) => text.length >= 8 && /[a-z]/i.test(text) && /\d/.test(text)),
)

/** Words that an attacker of this service tries first. */
const contextWords = ['hapax', ...platforms.map(({ slug }) => slug), 'marketplace', 'inventory', 'seller', 'listing']
const onlyContextWords = new RegExp(`^(${contextWords.join('|')})+$`)

/**
 * Refuses a guessable password that passes the contract's rules: a common one, the account's own address or
 * only names in it, or one whose letters are only names of Hapax and its marketplaces. Throws `invalid_request` naming
 * `field`.
 */
export function refuseWeakPassword(password: string, field: string, email: string | null): void {
  const plain = password.normalize('NFKC').toLowerCase()
  if (common.has(plain)) throw invalidField(field, 'common_password', 'is one of the passwords that are tried first')
  if (onlyContextWords.test(plain.replace(/[^a-z]/g, ''))) {
    throw invalidField(field, 'common_password', 'is little more than a name that is tried first')
  }
  if (email !== null && (plain === email || isOnlyNameOf(email, plain))) {
    throw invalidField(field, 'password_is_email', 'must be more than your email address or a name in it')
  }
}

/** Returns whether a password is names of an email address with digits and signs: "vera1234" of vera@example.com. */
function isOnlyNameOf(email: string, password: string): boolean {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const names = [local, ...local.split(/[^a-z]+/), domain.split('.')[0]!].filter((name) => name.length >= 3)
  const rest = names.reduce((text, name) => text.replaceAll(name, ''), password)
  return password === local || (rest !== password && !/\p{L}/u.test(rest))
}
