import { errorText } from '#extension/messaging/error-text.ts'
import { HapaxError } from '#shared/client/error.ts'

/** Returns the server's sentence, with the fields that it names. */
export function messageOf(error: unknown): string {
  if (error instanceof HapaxError && error.errors.length > 0) {
    return error.errors.map(({ field, message }) => `${field.replaceAll('_', ' ')} ${message}.`).join(' ')
  }
  return errorText(error)
}
