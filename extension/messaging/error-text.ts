import { textIfAny } from '#extension/i18n/content-text.ts'
import { MessageError } from './send.ts'

/** What happened, in the seller's words: ours where we have some for the code, else the server's sentence. */
export function errorText(error: unknown): string {
  if (error instanceof MessageError) return textIfAny(`error.${error.code}`) ?? error.message
  return error instanceof Error ? error.message : String(error)
}
