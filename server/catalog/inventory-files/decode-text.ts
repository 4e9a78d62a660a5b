import { refuseOtherBytes, refuseOtherTexts } from './reading/other-files.ts'
import { refuseFile } from './refuse-file.ts'

/** First bytes of a text that says how it is encoded. */
const marks = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const

/**
 * Returns the text of a file without its byte order mark. The mark decides over the `charset` of the Content-Type, if
 * any. Without both the text is UTF-8, UTF-16, windows-1252 or Mac Roman. Refuses a file whose letters could be others.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  refuseOtherBytes(bytes)
  const text = withoutEnd(decode(bytes, charset))
  refuseOtherTexts(text)
  if (text.includes('\0')) throw refuseFile('not_text', 'This is not a CSV file.')
  return text
}

function decode(bytes: Uint8Array, charset: string | null): string {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked) return decodeAs(marked[0], bytes) ?? unknown()
  if (charset !== null) return decodeDeclared(bytes, charset)
  const wide = wideEncodingOf(bytes)
  const text = (wide && decodeAs(wide, bytes)) ?? decodeAs('utf-8', bytes) ?? decodeWestern(bytes)
  // Only encodings that switch between alphabets have this character.
  return text === null || text.includes('\x1b') ? unknown() : text
}

function decodeDeclared(bytes: Uint8Array, charset: string): string {
  if (!isKnown(charset)) {
    const name = charset.slice(0, 30)
    throw refuseFile(
      'unknown_charset',
      `The charset "${name}" of the Content-Type is not known. Send the file as UTF-8.`,
    )
  }
  const text = decodeAs(charset, bytes)
  if (text !== null && !/[\x80-\x9f]/.test(text)) return text
  const message = `This file is not ${charset} as its Content-Type says. Name its charset, or none.`
  throw refuseFile('wrong_charset', message)
}

function isKnown(charset: string): boolean {
  try {
    new TextDecoder(charset)
    return true
  } catch {
    return false
  }
}

/** Returns the text, or null if the bytes are not of this encoding. */
function decodeAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function unknown(): never {
  throw refuseFile(
    'unknown_encoding',
    'The letters of this file cannot be told for sure. Save it as "CSV UTF-8", or name its charset in the Content-Type.',
  )
}

/** Returns the encoding of UTF-16 without a mark: the first letter has a zero beside it. */
function wideEncodingOf([first, second]: Uint8Array): string | null {
  if (first === 0 && second !== 0) return 'utf-16be'
  return first !== 0 && second === 0 ? 'utf-16le' : null
}

/**
 * Decodes what spreadsheets of Western Europe and America write that do not know UTF-8. Every byte is a letter in some
 * encoding, so the letters must make sense. Null if they do in neither encoding.
 */
function decodeWestern(bytes: Uint8Array): string | null {
  for (const encoding of ['windows-1252', 'macintosh']) {
    const text = decodeAs(encoding, bytes)
    if (text !== null && isWestern(text)) return text
  }
  return null
}

/** Letters that only Western languages have at these bytes, beside é, á and others that Eastern ones share. */
const western = /[äöüßåñàâêçæëïîôÄÖÜÅÑÀÂÊÇÆ]/
/** Letters that are others in the encodings of Eastern Europe and Turkey, where they are frequent. */
const eastern = /[šžŠŽþðýÞÐÝ]/
/** Signs that stand between letters in Western texts. */
const joining = /[’‘´–—…•®™©°×\u00a0\u00ad]/
/** Signs that no word touches. Those of Mac Roman are letters elsewhere. */
const apart = /[∂∑∏π∫Ω≈∆◊ﬁﬂıˆ˜¯˘˙˚¸˝˛ˇ⁄√∞≠≤≥¬¨¦·ƒ]/
/** Signs that are half of an Asian letter. */
const brackets = /[[\\\]^_{|}~@]/
const letter = /\p{L}/u
const lowercase = /\p{Ll}/u
const uppercase = /\p{Lu}/u

/** Returns whether the letters of a text are where Western languages have them. */
function isWestern(text: string): boolean {
  let [run, doubts, proofs] = [0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const own = text[at]!
    run = own > '\x7f' && !joining.test(own) ? run + 1 : 0
    if (own <= '\x7f') continue
    const before = text[at - 1] ?? ''
    const after = text[at + 1] ?? ''
    // Words of Greek, Cyrillic and Asian letters have none of ASCII between.
    if (run > 3 || own < '\xa0' || own === '¤') return false
    const touches = letter.test(before) || letter.test(after)
    if (apart.test(own) ? touches && !isCatalan(before, own, after) : brackets.test(after) && letter.test(own))
      return false
    // Romanian: these end an ordinal.
    if ((own === 'º' || own === 'ª') && letter.test(after)) return false
    if (!letter.test(own)) {
      if (!joining.test(own) && own !== '·' && letter.test(before) && letter.test(after)) return false
    } else if (uppercase.test(own) && lowercase.test(before)) return false
    // Hungarian.
    else if (own === 'õ' && after !== 'e') return false
    else if (eastern.test(own) || isCzech(before, own, after)) doubts++
    else if (western.test(own)) proofs++
  }
  return doubts <= proofs
}

const isCatalan = (before: string, own: string, after: string) => own === '·' && /^ll$/i.test(before + after)

/** Czech has č, ě and ů where others have è, ì and ù, which begin no word and are followed by none. */
const isCzech = (before: string, own: string, after: string) =>
  (own === 'è' && !letter.test(before) && letter.test(after)) || (/[ìù]/.test(own) && letter.test(after))

/** DOS programs end a text with this character. */
const withoutEnd = (text: string) => (text.endsWith('\x1a') ? text.slice(0, -1) : text)
