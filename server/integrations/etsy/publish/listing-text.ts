import { titleMax } from '#shared/listing-limits.ts'

/** Whether Etsy refuses a text as the value of a property or variation. */
export const isMalformedValue = (text: string) => /[()]/.test(text)

/**
 * Reduces a title to what Etsy accepts: letters, digits, punctuation, mathematical symbols, spaces, ™ ©
 * ®, and each of `% : & +` once. At most 140 characters.
 */
export function etsyTitle(text: string): string {
  const seen = new Set<string>()
  const plain = text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[^\p{L}\p{Nd}\p{P}\p{Sm}\p{Zs}™©®]/gu, '')
    .replace(/[%:&+]/g, (character) => {
      if (seen.has(character)) return character === '&' ? 'and' : ' '
      seen.add(character)
      return character
    })
    .replace(/ +/g, ' ')
    .trim()
  return plain
    .slice(0, titleMax.etsy)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()
}
