import { dictionary } from '@zxcvbn-ts/language-common'
import { invalidField } from '#server/infra/errors.ts'
import { platforms } from '#shared/platforms.ts'

/**
 * The common passwords that could pass the other rules, from zxcvbn's list of some 50,000 leaked ones. A package
 * rather than a list of ours: it is renewed by people who follow the leaks.
 */
const common = new Set(
  dictionary['passwords-common'].filter((text) => text.length >= 8 && /[a-z]/i.test(text) && /\d/.test(text)),
)

/** Words that somebody who guesses at this service tries first. */
const contextWords = ['hapax', ...platforms.map(({ slug }) => slug), 'marketplace', 'inventory', 'seller', 'listing']
const onlyContextWords = new RegExp(`^(${contextWords.join('|')})+$`)

/**
 * Refuses a password that the contract's rules let through (decisions 4): one that everybody tries first, or that is
 * the account's own address or the name before its @, or that has no letters but names of Hapax and its marketplaces. Throws `invalid_request` naming `field`.
 */
export function refuseWeakPassword(password: string, field: string, email: string | null): void {
  const plain = password.toLowerCase()
  if (common.has(plain)) throw invalidField(field, 'common_password', 'is one of the passwords that are tried first')
  if (onlyContextWords.test(plain.replace(/[^a-z]/g, ''))) {
    throw invalidField(field, 'common_password', 'is little more than a name that is tried first')
  }
  if (email !== null && (plain === email || plain === email.split('@')[0])) {
    throw invalidField(field, 'password_is_email', 'must not be your email address')
  }
}
