import type { SandboxRequest, SandboxResponse } from '../kit/http.ts'
import { fault } from './selling/faults.ts'

/** Languages of eBay's marketplaces, as the language headers name them. */
const languages = [
  ...['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IE', 'fr-CA', 'fr-FR', 'fr-BE', 'de-DE', 'de-AT', 'de-CH'],
  ...['it-IT', 'es-ES', 'nl-NL', 'nl-BE', 'pl-PL', 'zh-HK'],
]

/**
 * Returns eBay's error about a REST request's language headers; null when they are right. The Inventory API answers
 * 25709 to a missing Accept-Language and to `*` for every method. Content-Language is checked where it is sent.
 */
export function languageFault({ path, header }: SandboxRequest): SandboxResponse | null {
  if (!path.startsWith('/sell/inventory/')) return null
  if (!languages.includes(header('accept-language'))) return invalidHeader('Accept-Language')
  const content = header('content-language')
  return content === '' || languages.includes(content) ? null : invalidHeader('Content-Language')
}

export const invalidHeader = (name: string) => fault(400, 25709, `Invalid value for header ${name}.`)
