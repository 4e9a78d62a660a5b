/**
 * A full name as first and last name (spec 4.5): the first word and the rest. Control characters, line breaks and the
 * marks that turn the direction of writing become plain spaces: a name stands in mails and in the sellers' own pages.
 */
export function splitFullName(fullName: string | undefined): { first_name: string; last_name: string } {
  const words = (fullName ?? '')
    .replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
  return { first_name: words[0] ?? '', last_name: words.slice(1).join(' ') }
}
