/** Emoji, marks and words of joy in front of a sentence. */
const opening =
  /^(?:[^\p{L}\p{N}"'@$£€[(]|(?:congrat(?:ulation)?s|(?:great|good) news|(?:cha|ka)-?ching|woo-?hoo|yay|hooray)(?!\p{L})|\[?(?:poshmark|mercari|depop|ebay)(?:\]|:))+/iu
/** A request to the seller behind the sentence. */
const request = /[!.|–-] ?(?:get ready to|get a|print|time to|please|ship|dispatch) [^":!.|–-]{1,60}$/i
const marks = /(?:[\s!.,-]|\p{Extended_Pictographic}|\u{FE0F})$/u
/** Handles hold no spaces, so a title that quotes a subject stays whole. */
const clause =
  / (?:to (?:@[\w.-]{1,60}|(?:an? )?guest posher|a(?: new)? buyer)|for (?:[A-Z]{2,3} ?)?[$£€] ?\d[\d.,]{0,15}(?: [A-Z]{3})?|on (?:poshmark|mercari|depop|ebay|etsy))$/i
const helper = / (?:has|have|is|was|got|been|just|now)$/i
const listing = /^your (?:item|listing)[:,]? /i

/** The words around a quoted title in a sentence about a sale. With any other it is a form that is not known. */
const around = new Set(
  `a an and another been bought buyer for first got guest has have in is item items it just listing made
   mercari new now of on poshmark posher purchased sale sold the to today us usd was you you've your`.split(/\s+/),
)
const tokens = /@[\w.-]{1,60}|[$£€]?\d[\d.,]*|\p{L}+(?:'\p{L}+)?/gu

/** Without quotes, a title behind a colon goes to the end, whatever it contains. */
const toTheEnd =
  /^(?:you(?:'ve| have)?(?: just)? sold|you(?:'ve| have)?(?: just)? made (?:an?|another|the|your first) sale(?: on \w{1,20})?|(?:(?:your )?(?:item|listing) (?:has |just )?|just )?sold|(?:new )?sale|you(?:'ve| have)(?: got)? a (?:new )?sale)(?::| -) (.+)$/i
const unquoted =
  /^(?:you(?:'ve| have)?(?: just)? sold|you(?:'ve| have)?(?: just)? made (?:an?|another|the|your first) sale (?:of|for)|(?:on )?your (?:first |new )?sale of) (.+)$/i
/** No subject is as long. */
const longest = 500

/** Returns a subject without decoration in front of it. */
export const bareSubject = (subject: string): string => subject.replace(opening, '')

/** Returns the title that a bare subject says was sold; null where it does not say so in a known form. */
export function soldTitle(subject: string): string | null {
  if (subject.length > longest || /^(?:re|fwd?|fw):/i.test(subject)) return null
  const sentence = stripped(subject.replace(request, ''), marks).text
  const inQuotes = /"(.+)"/.exec(sentence)
  if (inQuotes && isAboutSale(sentence.replace(inQuotes[0], ''))) return inQuotes[1]!
  const { text, count } = stripped(sentence, clause)
  const title = (toTheEnd.exec(subject) ?? unquoted.exec(text))?.[1]
  if (title !== undefined) return title
  if (!/ sold$/i.test(text)) return null
  const verb = stripped(text.slice(0, -' sold'.length), helper)
  const name = verb.text.replace(listing, '').replace(/,$/, '')
  return !name.includes('"') && count + verb.count > 0 ? name : null
}

const isAboutSale = (words: string): boolean =>
  (/\bsold\b|\bsale(?: of|:)/i.test(words) ||
    (/\bsale\b/i.test(words) && /\b(?:made|new|first)\b/i.test(words)) ||
    (/\b(?:bought|purchased)\b/i.test(words) && /@|\b(?:posher|buyer)\b/i.test(words))) &&
  (words.match(tokens) ?? []).every((token) => /^[@$£€\d]/.test(token) || around.has(token.toLowerCase()))

/** Takes an end off a text as often as it is there. */
function stripped(text: string, end: RegExp): { text: string; count: number } {
  for (let count = 0; ; count++) {
    const rest = text.replace(end, '')
    if (rest === text) return { text, count }
    text = rest
  }
}

const numbers = 'one two three four five six seven eight nine ten'.split(' ')
const numberWord = /\b(?:two|three|four|five|six|seven|eight|nine|ten)\b/gi
const namedBundle =
  /^bundle of (.+) (?:and|&|\+) (\d{1,3}) (?:more|others?)(?: (?:items?|pieces?|listings?|things?))?$/i
const countedBundle =
  /^(?:(?:your|an?|the) )?(?:bundle(?: of)?:? \(?(\d{1,3})(?:[- ]?(?:items?|pieces?|listings?|things?))?\)?|(\d{1,3})(?:[- ]?(?:items?|pieces?|listings?|things?))?(?: in)?(?: an?| your| the| one)? bundle)$/i

/**
 * Returns what the name of a bundle tells of it: the count (0 where it tells none), and the title or its beginning that
 * it names. Null for the title of an item.
 */
export function bundleNamed(title: string): { count: number; first: string | null } | null {
  const [, first, more] = namedBundle.exec(title) ?? []
  if (first !== undefined) return { count: Number(more) + 1, first }
  const inDigits = title.replace(numberWord, (word) => String(numbers.indexOf(word.toLowerCase()) + 1))
  const [, behind, before] = countedBundle.exec(inDigits) ?? []
  const count = behind ?? before
  if (count !== undefined) return { count: Number(count), first: null }
  return /^(?:(?:your|an?|the) )?bundle$/i.test(title) ? { count: 0, first: null } : null
}
