/** Returns a text that PostgreSQL can store: without U+0000 and lone surrogates. */
export function cleanText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed()
  return formed.includes('\0') ? formed.replaceAll('\0', '') : formed
}

/** Returns what somebody wrote to the seller, at most 1,000 characters; null for nothing. */
export function cleanNote(text: string | null | undefined): string | null {
  const note = cleanText(text ?? '').trim()
  return note === '' ? null : note.slice(0, 1_000).toWellFormed()
}

/** Returns one line of text: cleaned and trimmed, with control characters and runs of white space as single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
