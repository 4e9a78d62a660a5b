/**
 * Splits a full name at the first word. Replaces control characters, line breaks and direction marks by spaces, since
 * names appear in mails and pages.
 */
export function splitFullName(fullName: string | undefined): { first_name: string; last_name: string } {
  const words = (fullName ?? '')
    .replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
  return { first_name: words[0] ?? '', last_name: words.slice(1).join(' ') }
}
