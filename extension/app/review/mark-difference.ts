/** A text in three parts. `marked` is what the other text lacks. */
export interface MarkedText {
  before: string
  marked: string
  after: string
}

/** Characters shown around the difference of a long text. */
const contextChars = 120

/** Returns both texts with the part marked in which they differ, at whole words. Cuts long texts around it. */
export function markDifference(one: string, other: string): [MarkedText, MarkedText] {
  const [ones, others] = [wordsOf(one), wordsOf(other)]
  const most = Math.min(ones.length, others.length)
  let start = 0
  while (start < most && ones[start] === others[start]) start++
  let end = 0
  while (end < most - start && ones.at(-1 - end) === others.at(-1 - end)) end++
  return [marked(ones, start, end), marked(others, start, end)]
}

/** Splits at spaces and keeps them. */
const wordsOf = (text: string) => text.split(/(\s+)/).filter(Boolean)

function marked(words: string[], start: number, end: number): MarkedText {
  const before = words.slice(0, start).join('')
  const after = words.slice(words.length - end).join('')
  return {
    before: before.length > contextChars ? `…${before.slice(-contextChars)}` : before,
    marked: words.slice(start, words.length - end).join(''),
    after: after.length > contextChars ? `${after.slice(0, contextChars)}…` : after,
  }
}
