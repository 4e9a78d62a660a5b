import PostalMime, { addressParser } from 'postal-mime'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { MailWords } from './hint.ts'
import { linesOfHtml, linesOfText, normalizeText } from './words.ts'

/** A mail as its headers and first parts show it. Addresses are in lower case. */
export interface ParsedMail extends MailWords {
  /** Every author. A mail of a marketplace has one. */
  from: string[]
  to: string[]
  date: Date | null
  /** How often the mail has each of the headers that a reader may show. */
  counts: Record<'from' | 'to' | 'subject' | 'date', number>
}

/** Largest mail that is read, in bytes. Mails of marketplaces have less than 200 kB. */
export const maxReadBytes = 1_000_000
/** The words come before pictures and labels, and splitting takes some 10 ms in this many bytes. */
const maxWordBytes = 160_000
/** Splitting costs some 7 µs a line. */
const maxWordLines = 3_000
const maxHeaderBytes = 65_536
const maxHeaderLines = 1_000
const maxLineBytes = 262_144
/** Splitting and checking cost by the line as well as by the byte. */
const { lines: maxLines, parts: maxParts, depth: maxNestingDepth } = waysIn.smtp
/** Each may need the whole body hashed. Marketplaces and their mail services sign once each. */
const maxSignatures = 3
/** Of all addresses in the header, which cost some 10 kB each to read. */
const maxAddresses = 500

/** A mail that cannot be read, or would cost too much. */
export class MalformedMailError extends Error {
  override name = 'MalformedMailError'
}

/**
 * Reads headers and words of a mail. Throws MalformedMailError, also where two parsers could read its header
 * differently.
 */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const { wordBytes } = splitMail(raw)
  const mail = await PostalMime.parse(raw.subarray(0, wordBytes), {
    maxNestingDepth,
    maxHeadersSize: maxHeaderBytes * 2,
    forceRfc822Attachments: true,
  }).catch((cause: unknown) => {
    throw new MalformedMailError('the mail cannot be split into its parts', { cause })
  })
  const valuesOf = (name: string) => mail.headers.filter(({ key }) => key === name).map(({ value }) => value)
  const addressesOf = (name: string) =>
    valuesOf(name).flatMap((value) =>
      addressParser(value, { flatten: true }).flatMap(({ address }) => (address ? [address.toLowerCase()] : [])),
    )
  const [date = ''] = valuesOf('date')
  const at = new Date(date)
  return {
    subject: normalizeText((mail.subject ?? '').slice(0, 2_000)),
    bodies: [...(mail.html ? [linesOfHtml(mail.html)] : []), ...(mail.text ? [linesOfText(mail.text)] : [])],
    from: addressesOf('from'),
    to: addressesOf('to'),
    date: Number.isNaN(at.getTime()) ? null : at,
    counts: {
      from: valuesOf('from').length,
      to: valuesOf('to').length,
      subject: valuesOf('subject').length,
      date: valuesOf('date').length,
    },
  }
}

/** A header of a mail, with the lines that it is folded into. */
export interface HeaderField {
  /** In lower case. */
  name: string
  text: string
}

/**
 * Splits a mail into its header and body. Throws MalformedMailError for a mail that would take long to read or check,
 * and for one whose header leaves a doubt: other line ends than CRLF beside it, NUL, a line that is blank or no field.
 * Parsers end or fold a header differently there, so that one reads what another has not verified.
 *
 * `text` of fields is Latin-1: a character a byte.
 */
export function splitMail(raw: Buffer): { fields: HeaderField[]; body: Buffer; wordBytes: number; isCrlf: boolean } {
  if (raw.length > maxReadBytes) throw new MalformedMailError('the mail is too large')
  if (raw.includes(0)) throw new MalformedMailError('the mail has a NUL')
  const isCrlf = raw.includes('\r')
  const wordBytes = checkLines(raw, isCrlf)
  const lineEnd = isCrlf ? '\r\n' : '\n'
  const emptyAt = raw.subarray(0, lineEnd.length).toString('latin1') === lineEnd ? 0 : raw.indexOf(lineEnd + lineEnd)
  const headerEnd = emptyAt === -1 ? raw.length : emptyAt
  if (headerEnd > maxHeaderBytes) throw new MalformedMailError('the header is too long')
  const header = raw.toString('latin1', 0, headerEnd)
  const fields = header === '' ? [] : fieldsOf(header.replace(/\r?\n$/, '').split(lineEnd), lineEnd)
  if (fields.filter(({ name }) => name === 'dkim-signature').length > maxSignatures)
    throw new MalformedMailError('the mail has too many signatures')
  if ((header.match(/@/g)?.length ?? 0) > maxAddresses) throw new MalformedMailError('the mail has too many addresses')
  const start = raw.toString('latin1', 0, maxWordBytes)
  if ((start.match(/^content-type[ \t]*:/gim)?.length ?? 0) > maxParts)
    throw new MalformedMailError('the mail has too many parts')
  const bodyAt = headerEnd + (emptyAt > 0 ? 2 : 1) * lineEnd.length
  return { fields, body: raw.subarray(bodyAt), wordBytes, isCrlf }
}

/** Refuses mixed line ends, and lines that are too many or too long. Returns how many bytes hold the words. */
function checkLines(raw: Buffer, isCrlf: boolean): number {
  let wordBytes = Math.min(raw.length, maxWordBytes)
  for (let at = 0, lines = 1; ; lines++) {
    const end = raw.indexOf(10, at)
    const next = end === -1 ? raw.length : end + 1
    const text = end === -1 ? raw.length : isCrlf ? end - 1 : end
    const cr = isCrlf ? raw.indexOf(13, at) : -1
    if (isCrlf && cr !== (end === -1 ? -1 : text)) throw new MalformedMailError('the mail has mixed line ends')
    if (text - at > maxLineBytes) throw new MalformedMailError('a line of the mail is too long')
    if (lines > maxLines) throw new MalformedMailError('the mail has too many lines')
    if (lines === maxWordLines) wordBytes = Math.min(wordBytes, next)
    if (end === -1) return wordBytes
    at = next
  }
}

function fieldsOf(lines: readonly string[], lineEnd: string): HeaderField[] {
  if (lines.length > maxHeaderLines) throw new MalformedMailError('the header has too many lines')
  const fields: HeaderField[] = []
  for (const line of lines) {
    const name = /^([!-9;-~]+):/.exec(line)?.[1]
    const last = fields.at(-1)
    if (name !== undefined) fields.push({ name: name.toLowerCase(), text: line })
    else if (last && /^[ \t]/.test(line) && line.trim() !== '') last.text += lineEnd + line
    else throw new MalformedMailError('a line of the header is no field')
  }
  return fields
}
