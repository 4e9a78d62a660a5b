import PostalMime, { addressParser } from 'postal-mime'
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

/** Largest mail that is read, in bytes. Checking its signature takes some 7 ms a megabyte. */
export const maxReadBytes = 4_000_000
/** The words come before pictures and labels, and splitting takes some 10 ms in this many bytes. */
const maxWordBytes = 160_000
const maxHeaderBytes = 65_536
const maxParts = 60
const maxSignatures = 10
/** Of all addresses in the header, which cost some 10 kB each to read. */
const maxAddresses = 500

/** A mail that cannot be read, or would cost too much. */
export class MalformedMailError extends Error {
  override name = 'MalformedMailError'
}

/** Reads headers and words of a mail. Throws MalformedMailError. Runs for at most some 30 ms. */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  refuseCostly(raw)
  const mail = await PostalMime.parse(raw.subarray(0, maxWordBytes), {
    maxNestingDepth: 12,
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

/** Refuses mails that would take long to split or to check, by looking at them once. */
function refuseCostly(raw: Buffer): void {
  if (raw.length > maxReadBytes) throw new MalformedMailError('the mail is too large')
  const ends = ['\r\n\r\n', '\n\n'].map((end) => raw.indexOf(end)).filter((at) => at !== -1)
  const headerEnd = ends.length > 0 ? Math.min(...ends) : raw.length
  if (headerEnd > maxHeaderBytes) throw new MalformedMailError('the header is too long')
  const header = raw.toString('latin1', 0, headerEnd)
  if ((header.match(/^dkim-signature[ \t]*:/gim)?.length ?? 0) > maxSignatures)
    throw new MalformedMailError('the mail has too many signatures')
  if ((header.match(/@/g)?.length ?? 0) > maxAddresses) throw new MalformedMailError('the mail has too many addresses')
  const start = raw.toString('latin1', 0, maxWordBytes)
  if ((start.match(/^content-type[ \t]*:/gim)?.length ?? 0) > maxParts)
    throw new MalformedMailError('the mail has too many parts')
}
