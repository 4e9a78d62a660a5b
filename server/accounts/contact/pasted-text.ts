/**
 * Returns typed or pasted text in the form that rules are written for: compatibility forms folded (NFKC), invisible marks
 * removed (direction marks of contact lists, zero-width spaces, soft hyphens), dashes of every kind as `-`, and no space
 * at the ends.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim()
}

/** Returns the same with the digits of every script as ASCII. Not for addresses: another digit is another mailbox. */
export function plainNumber(text: string): string {
  return plainText(text).replace(/\p{Nd}/gu, asciiDigit)
}

/** Returns a one-time code without the spaces and dashes that people and their keyboards put between its digits. */
export function plainCode(text: string): string {
  return plainNumber(text).replace(/[\s.-]/g, '')
}

/** Unicode keeps the ten digits of a script together and in order, so a digit's place among them is its value. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before++
  return String(before % 10)
}
