import type { BoundedAnswer } from '#server/integrations/http.ts'
import { PlatformError } from '../errors.ts'
import type { Exchange } from '../http.ts'
import { refusalOf } from '../refusal.ts'
import { errorOfAnswer, errorOfTrading, reportTradingWarnings, wordsOfCall } from './errors.ts'
import { languageHeaders } from './marketplaces.ts'
import { parseApart, parseHere } from './parse-apart.ts'
import { siteIdOf } from './trading-sites.ts'
import { TradingAnswer } from './wire.ts'
import { escapeXml, type XmlElement } from './xml.ts'

/**
 * Trading API version of 2026-06-04 that wire.ts describes. By eBay's release notes, nothing that Hapax reads or sends
 * has changed since 1271 but that pictures of a revision need HTTPS (1415).
 */
const compatibilityLevel = '1455'

/**
 * Elements of a request, as text, repeated texts or nested elements. Undefined ones are omitted. An element with
 * attributes has them as `@name`, and its text as `#text`.
 */
export type Fields = { [name: string]: string | number | boolean | (string | Fields)[] | Fields | undefined }

interface TradingCall {
  name: string
  accessToken: string
  fields: Fields
  /** The site of the listing that is revised or ended, as `Item.Site` names it. Default: eBay US. */
  site?: string | null | undefined
  signal?: AbortSignal | undefined
}

/** Calls the Trading API and returns the root element of a successful answer (Ack Success or Warning). */
export type Trading = (call: TradingCall) => Promise<XmlElement>

/**
 * Creates a client of the Trading API. eBay reports errors with HTTP 200 and Ack Failure, or
 * PartialFailure for an incomplete answer. Both throw PlatformError, because callers need the whole list.
 */
export function createTrading(options: { apiUrl: string; exchange: Exchange }): Trading {
  return async ({ name, accessToken, fields, site, signal }) => {
    const answer = await options.exchange(
      wordsOfCall(name),
      `${options.apiUrl}/ws/api.dll`,
      {
        method: 'POST',
        headers: {
          'content-type': 'text/xml; charset=utf-8',
          ...languageHeaders(),
          'x-ebay-api-call-name': name,
          'x-ebay-api-siteid': siteIdOf(site),
          'x-ebay-api-compatibility-level': compatibilityLevel,
          'x-ebay-api-iaf-token': accessToken,
        },
        body: requestXml(name, fields),
      },
      signal,
    )
    return readAnswer(name, answer, await parseApart(answer.text, signal))
  }
}

/** Returns the request document of a call. eBay's schema puts the shared elements before the call's own. */
export function requestXml(name: string, { DetailLevel, ...own }: Fields): string {
  const body = elements({ DetailLevel, ErrorLanguage: 'en_US', WarningLevel: 'Low', ...own })
  return `<?xml version="1.0" encoding="utf-8"?><${name}Request xmlns="urn:ebay:apis:eBLBaseComponents">${body}</${name}Request>`
}

function elements(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((one) => element(name, one)))
    .join('')
}

function element(name: string, value: Fields[string]): string {
  if (typeof value !== 'object' || Array.isArray(value)) return `<${name}>${escapeXml(String(value))}</${name}>`
  const { '#text': text, ...children } = value
  const isAttribute = ([key]: [string, unknown]) => key.startsWith('@')
  const attributes = Object.entries(children)
    .filter(isAttribute)
    .map(([key, content]) => ` ${key.slice(1)}="${escapeXml(String(content))}"`)
  const nested = Object.fromEntries(Object.entries(children).filter((entry) => !isAttribute(entry)))
  const content = text === undefined ? elements(nested) : escapeXml(String(text))
  return `<${name}${attributes.join('')}>${content}</${name}>`
}

/** Returns the root element of an answer, from its document. Throws PlatformError for HTTP, XML and Ack errors. */
export function readAnswer(name: string, answer: BoundedAnswer, document = parseHere(answer.text)): XmlElement {
  const root = rootOf(name, answer, document)
  const head = TradingAnswer.safeParse(root)
  if (!head.success) throw malformed(name, 'it has no Ack')
  const { Ack, Errors } = head.data
  reportTradingWarnings(Errors)
  if (Ack === 'Success' || Ack === 'Warning') return root
  if (Ack === 'Failure' || Ack === 'PartialFailure') throw errorOfTrading(name, Errors)
  throw malformed(name, `its Ack is "${Ack.slice(0, 40)}"`)
}

/** Returns the document's root. The HTTP status is a fallback, because eBay's XML explains more. */
function rootOf(name: string, answer: BoundedAnswer, document: XmlElement | Error): XmlElement {
  if (document instanceof Error) {
    if (answer.status !== 200) throw errorOfAnswer(wordsOfCall(name), answer)
    throw refusalOf('ebay', 'unavailable', { call: wordsOfCall(name), faults: [], logCode: 'not_xml', cause: document })
  }
  const root = document[`${name}Response`]
  if (typeof root === 'object' && !Array.isArray(root)) return root
  if (answer.status !== 200) throw errorOfAnswer(wordsOfCall(name), answer)
  // Some failures (an unknown call, a token refused early) have a root of another name.
  const [only] = Object.entries(document).flatMap(([tag, value]) =>
    tag.endsWith('Response') && typeof value === 'object' && !Array.isArray(value) ? [value] : [],
  )
  if (only && 'Ack' in only && only.Ack !== 'Success' && only.Ack !== 'Warning') return only
  if ('html' in document || 'HTML' in document) throw errorOfAnswer(wordsOfCall(name), answer)
  throw malformed(name, 'it is another document')
}

function malformed(name: string, why: string): PlatformError {
  return new PlatformError('ebay', 'malformed', `eBay's answer to ${wordsOfCall(name)} is not understood: ${why}.`)
}
