import { textIfAny } from '#extension/i18n/content-text.ts'
import { MessageError } from './send.ts'

/** Returns an error in the seller's words: our message for its code, else the server's. */
export function errorText(error: unknown): string {
  if (error instanceof MessageError) return textIfAny(`error.${error.code}`) ?? error.message
  return error instanceof Error ? error.message : String(error)
}
