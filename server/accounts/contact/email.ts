import { domainToASCII } from 'node:url'
import { plainText } from './pasted-text.ts'

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const topLabel = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/**
 * Returns an email address in the form that is stored, compared and written to; null if we cannot write to it. Reads it
 * as it was pasted: full-width, ligature and Kelvin-sign spellings become the address they look like, and invisible marks
 * go. Then validates and lowercases it. Refuses local parts that are still not ASCII: lookalike mailboxes must not be two accounts. Keeps
 * international domains in their ASCII form.
 */
export function normalizeEmail(text: string): string | null {
  if (text.length > 320) return null
  const plain = plainText(text)
  const at = plain.indexOf('@')
  if (at < 1 || at !== plain.lastIndexOf('@')) return null
  const name = plain.slice(0, at)
  if (name.length > 64 || !isAscii(name) || !local.test(name.toLowerCase())) return null
  const domain = asciiDomain(plain.slice(at + 1))
  const address = `${name.toLowerCase()}@${domain}`
  return domain === null || address.length > 254 ? null : address
}

function asciiDomain(text: string): string | null {
  const domain = isAscii(text) ? text.toLowerCase() : domainToASCII(text)
  const labels = domain.split('.')
  if (labels.length < 2 || domain.length > 253) return null
  return labels.every((part) => label.test(part)) && topLabel.test(labels.at(-1) ?? '') ? domain : null
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 126) return false
  return true
}

/** Masks an address as a hint for people who know it: `j•••@e•••.com`, without revealing its length. */
export function maskEmail(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  const dot = domain.lastIndexOf('.')
  return `${name.slice(0, 1)}•••@${domain.slice(0, 1)}•••${domain.slice(dot)}`
}
