import { type Client, createClient } from '#shared/client/declared-client.ts'
import { callInSession } from '../web/call-with-cookie.ts'

/** Calls the API as the account's own session, which may do more than the keys of extensions. */
export const callAccount: Client = createClient({ baseUrl: location.origin, fetch: callInSession })
