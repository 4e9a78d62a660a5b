import { PlatformError } from '../errors.ts'
import type { Exchange } from '../http.ts'
import { errorOfStatus, errorOfTrading } from './errors.ts'
import { languageHeaders } from './marketplaces.ts'
import { TradingAnswer } from './wire.ts'
import { escapeXml, parseXml, type XmlElement } from './xml.ts'

/** The version of the Trading API whose answers wire.ts describes. */
const compatibilityLevel = '1271'

/** Site 0 is eBay US: it fixes the language of names and errors, not which of the seller's listings are seen. */
const siteId = '0'

/** Elements of a request: text, a list of one element repeated, or elements within. Left out where undefined. */
export type Fields = { [name: string]: string | number | boolean | Fields | undefined }

export interface TradingCall {
  name: string
  accessToken: string
  fields: Fields
  signal?: AbortSignal
}

/** Calls the Trading API: answers the root element of a successful answer (Ack Success or Warning). */
export type Trading = (call: TradingCall) => Promise<XmlElement>

/**
 * A client of the Trading API (platforms 1.3) at `apiUrl`. eBay reports errors as HTTP 200 with Ack Failure, or
 * PartialFailure when only a part is there: both throw PlatformError, since a part of a list is no list.
 */
export function createTrading(options: { apiUrl: string; exchange: Exchange }): Trading {
  return async ({ name, accessToken, fields, signal }) => {
    const answer = await options.exchange(
      name,
      `${options.apiUrl}/ws/api.dll`,
      {
        method: 'POST',
        headers: {
          'content-type': 'text/xml; charset=utf-8',
          ...languageHeaders(),
          'x-ebay-api-call-name': name,
          'x-ebay-api-siteid': siteId,
          'x-ebay-api-compatibility-level': compatibilityLevel,
          'x-ebay-api-iaf-token': accessToken,
        },
        body: requestXml(name, fields),
      },
      signal,
    )
    return readAnswer(name, answer)
  }
}

/** The request document of a call; eBay's schema has what all calls share before a call's own elements. */
export function requestXml(name: string, { DetailLevel, ...own }: Fields): string {
  const body = elements({ DetailLevel, ErrorLanguage: 'en_US', WarningLevel: 'Low', ...own })
  return `<?xml version="1.0" encoding="utf-8"?><${name}Request xmlns="urn:ebay:apis:eBLBaseComponents">${body}</${name}Request>`
}

function elements(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const content = typeof value === 'object' ? elements(value) : escapeXml(String(value))
      return `<${name}>${content}</${name}>`
    })
    .join('')
}

/** The root element of an answer. Throws PlatformError for HTTP, XML and Ack errors alike. */
export function readAnswer(name: string, answer: { status: number; headers: Headers; text: string }): XmlElement {
  const root = rootOf(name, answer)
  const head = TradingAnswer.safeParse(root)
  if (!head.success) throw malformed(name, 'it has no Ack')
  const { Ack, Errors } = head.data
  if (Ack === 'Success' || Ack === 'Warning') return root
  if (Ack === 'Failure' || Ack === 'PartialFailure') throw errorOfTrading(name, Errors)
  throw malformed(name, `its Ack is "${Ack.slice(0, 40)}"`)
}

/** The document's root, whatever the HTTP status says: eBay's own XML explains more than its status. */
function rootOf(name: string, answer: { status: number; headers: Headers; text: string }): XmlElement {
  let document: XmlElement
  try {
    document = parseXml(answer.text)
  } catch (cause) {
    const byStatus = errorOfStatus(name, answer)
    if (answer.status !== 200) throw byStatus
    throw new PlatformError('ebay', 'unavailable', `eBay's answer to ${name} is no whole XML document.`, {
      platformCode: 'not_xml',
      cause,
    })
  }
  const root = document[`${name}Response`]
  if (typeof root === 'object' && !Array.isArray(root)) return root
  if (answer.status !== 200) throw errorOfStatus(name, answer)
  // Some failures (an unknown call, a token refused early) come under another name.
  const [only] = Object.entries(document).flatMap(([tag, value]) =>
    tag.endsWith('Response') && typeof value === 'object' && !Array.isArray(value) ? [value] : [],
  )
  if (only && 'Ack' in only && only.Ack !== 'Success' && only.Ack !== 'Warning') return only
  if ('html' in document || 'HTML' in document) throw errorOfStatus(name, answer)
  throw malformed(name, 'it is some other document')
}

function malformed(name: string, why: string): PlatformError {
  return new PlatformError('ebay', 'malformed', `eBay's answer to ${name} is not understood: ${why}.`)
}
