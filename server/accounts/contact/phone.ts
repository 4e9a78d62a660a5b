import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { plainNumber } from './pasted-text.ts'

type PhoneVerdict =
  | { phone: string }
  | { fault: 'invalid' }
  /** A valid number that gets no texts: another country, or a premium number. */
  | { fault: 'not_supported' }

const writtenNumber = /^\+?[0-9 ().\-/]+$/
/** Form of a North American number: new area codes appear faster than libraries are updated. */
const northAmerican = /^\+1[2-9]\d{2}[2-9]\d{6}$/
const costly = new Set(['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'VOICEMAIL', 'PAGER', 'TOLL_FREE'])

/**
 * Parses a phone number into E.164, from its international form or a US number with or without its 1, as people type and
 * paste it. Limits count the result, so spellings do not matter. `countries`: allowed prefixes (SMS_COUNTRIES).
 */
export function readPhone(text: string, countries: readonly string[]): PhoneVerdict {
  const plain = plainNumber(text)
  if (plain.length > 40 || !writtenNumber.test(plain)) return { fault: 'invalid' }
  const digits = plain.replace(/\D/g, '')
  const american = /^1?(\d{10})$/.exec(digits)?.[1]
  const international = plain.startsWith('+') ? `+${digits}` : american ? `+1${american}` : null
  const number = international === null ? undefined : parsePhoneNumberFromString(international)
  if (!number || number.ext) return { fault: 'invalid' }
  const phone = number.number
  if (!number.isValid() && !northAmerican.test(phone)) return { fault: 'invalid' }
  if (!countries.some((prefix) => phone.startsWith(prefix))) return { fault: 'not_supported' }
  return costly.has(number.getType() ?? '') ? { fault: 'not_supported' } : { phone }
}
