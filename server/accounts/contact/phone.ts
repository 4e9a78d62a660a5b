import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

export type PhoneVerdict =
  | { phone: string }
  | { fault: 'invalid' }
  /** A real number, where we do not send texts: another country, or one that costs its caller extra. */
  | { fault: 'not_supported' }

const writtenNumber = /^\+?[0-9 ().\-/]+$/
/** Form of a North American number: area codes are added faster than libraries learn of them. */
const northAmerican = /^\+1[2-9]\d{2}[2-9]\d{6}$/
const costly = new Set(['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'VOICEMAIL', 'PAGER', 'TOLL_FREE'])

/**
 * A phone number in E.164 (spec 4.6): as typed with its `+`, or 10 digits of a US number. Limits count by the answer,
 * so that no spelling is another number; digits other than ASCII are refused. `countries`: prefixes that
 * texts are sent to (SMS_COUNTRIES).
 */
export function readPhone(text: string, countries: readonly string[]): PhoneVerdict {
  const plain = text.trim()
  if (plain.length > 40 || !writtenNumber.test(plain)) return { fault: 'invalid' }
  const digits = plain.replace(/\D/g, '')
  const international = plain.startsWith('+') ? `+${digits}` : digits.length === 10 ? `+1${digits}` : null
  const number = international === null ? undefined : parsePhoneNumberFromString(international)
  if (!number || number.ext) return { fault: 'invalid' }
  const phone = number.number
  if (!number.isValid() && !northAmerican.test(phone)) return { fault: 'invalid' }
  if (!countries.some((prefix) => phone.startsWith(prefix))) return { fault: 'not_supported' }
  return costly.has(number.getType() ?? '') ? { fault: 'not_supported' } : { phone }
}
