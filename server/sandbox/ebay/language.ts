import type { SandboxRequest, SandboxResponse } from '../kit/http.ts'
import { fault } from './selling/faults.ts'

/** The languages of eBay's marketplaces, as the language headers name them. */
const languages = [
  ...['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IE', 'fr-CA', 'fr-FR', 'fr-BE', 'de-DE', 'de-AT', 'de-CH'],
  ...['it-IT', 'es-ES', 'nl-NL', 'nl-BE', 'pl-PL', 'zh-HK'],
]

/**
 * What eBay says against the language headers of a REST request; null when they are right. Production answers error 25709
 * to a missing Accept-Language and to `*`, whatever the method. A Content-Language is checked wherever there is one.
 */
export function languageFault({ path, header }: SandboxRequest): SandboxResponse | null {
  if (!/^\/(sell|commerce)\//.test(path)) return null
  if (!languages.includes(header('accept-language'))) return invalidHeader('Accept-Language')
  const content = header('content-language')
  return content === '' || languages.includes(content) ? null : invalidHeader('Content-Language')
}

export const invalidHeader = (name: string) => fault(400, 25709, `Invalid value for header ${name}.`)
