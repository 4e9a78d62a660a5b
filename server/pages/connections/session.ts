import type Koa from 'koa'
import { databaseCredentials } from '#server/accounts/sessions/credential-store.ts'
import { sessionLifetimes } from '#server/accounts/sessions/lifetimes.ts'
import type { BearerPrincipal } from '#server/http/credentials/authenticate.ts'
import { hashSecret } from '#server/http/credentials/credentials.ts'
import type { Services } from '#server/services.ts'
import { readAppCookie } from '../web-app/credential.ts'

/** Returns the seller who is signed in to the web app in the request's browser; null without a session. */
export type ReadSession = (ctx: Koa.Context) => Promise<BearerPrincipal | null>

/** Creates the reader of sessions. The cookie is `SameSite=Strict`: no link or form of another site sends it. */
export function createSessionReader({ config, db, limits }: Services): ReadSession {
  const credentials = databaseCredentials(db, limits, sessionLifetimes(config))
  return async (ctx) => {
    const token = readAppCookie(ctx, config.PUBLIC_URL)
    return token === null ? null : credentials.findBearer(hashSecret(token))
  }
}
