import { errorText } from '#extension/messaging/error-text.ts'
import { type Client, createClient } from '#shared/client/declared-client.ts'
import { HapaxError } from '#shared/client/error.ts'
import { callInSession } from '../web/call-with-cookie.ts'

/** Calls the API as the account's own session, which may do more than the keys of extensions. */
export const callAccount: Client = createClient({ baseUrl: location.origin, fetch: callInSession })

/** Returns the server's sentence about a failed call, with the fields that it names. */
export function messageOf(error: unknown): string {
  if (error instanceof HapaxError && error.errors.length > 0) {
    return error.errors.map(({ field, message }) => `${field.replaceAll('_', ' ')} ${message}.`).join(' ')
  }
  return errorText(error)
}
