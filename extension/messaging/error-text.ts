import { createText } from '#extension/i18n/create-text.ts'
import { commonMessages } from '#extension/i18n/en/common.ts'
import { MessageError } from './send.ts'

// Those of content scripts are no part of the web app.
const { textIfAny } = createText(commonMessages)

/** Returns an error in the seller's words: our message for its code, else the server's. */
export function errorText(error: unknown): string {
  if (error instanceof MessageError) return textIfAny(`error.${error.code}`) ?? error.message
  return error instanceof Error ? error.message : String(error)
}
