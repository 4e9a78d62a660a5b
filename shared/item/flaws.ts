/** A flaw of an item, with the photo that shows it. */
export interface Flaw {
  text: string
  /** The address of one of the item's photos. */
  photo?: string | undefined
}

/** Returns flaws as lines of the notes on a condition, which every marketplace shows. */
const linesOf = (flaws: readonly Flaw[]) => flaws.map(({ text }) => `Flaw: ${text}`).join('\n')

/** Returns notes with the flaws at their end. */
export function withFlaws(notes: string, flaws: readonly Flaw[]): string {
  return [notes.trim(), linesOf(flaws)].filter(Boolean).join('\n')
}

/** Returns notes without the flaws that `withFlaws` added. Other notes stay as they are. */
export function withoutFlaws(notes: string, flaws: readonly Flaw[]): string {
  const lines = linesOf(flaws)
  return lines !== '' && notes.endsWith(lines) ? notes.slice(0, -lines.length).trim() : notes
}
