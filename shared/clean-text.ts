/** A text that PostgreSQL can store: no U+0000, no lone surrogates. Nothing else is changed. */
export function cleanText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed()
  return formed.includes('\0') ? formed.replaceAll('\0', '') : formed
}

/** One line of text: cleaned, control characters and runs of white space as one space, trimmed. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
