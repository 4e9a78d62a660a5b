import { load } from 'cheerio/slim'
import { plainTextOf } from '#shared/plain-text.ts'

/** A description as plain text (shared/plain-text). */
export function plainText(description: string): string {
  return plainTextOf(description, (text) => load(text).text())
}
