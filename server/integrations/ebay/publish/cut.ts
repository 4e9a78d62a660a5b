/** Cuts a text to at most `length` UTF-16 units without splitting a surrogate pair. */
export function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}
