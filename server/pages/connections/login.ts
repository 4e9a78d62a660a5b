import type Koa from 'koa'
import { databaseCredentials } from '#server/auth/credential-store.ts'
import type { Admission } from '#server/auth/lock-admitted.ts'
import { beginAuthorization } from '#server/connections/begin-authorization.ts'
import { findConnectable } from '#server/connections/find-connectable.ts'
import { redeemTicket } from '#server/connections/ticket.ts'
import { authenticate, readCredential } from '#server/http/authenticate.ts'
import { problem } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { browserCookie, readCookie, setCookie } from './cookies.ts'
import { textFields } from './read-form.ts'

/**
 * `GET /accounts/{slug}/login/` (spec 2.4, decisions 5): sends the seller's browser to the platform. Who the seller is,
 * says a single-use ticket, or the Authorization header of a web view; never a token in the address (threats T70).
 */
export function loginPage(services: Services): Koa.Middleware {
  const credentials = databaseCredentials(services.db, services.limits)

  async function sellerOf(ctx: Koa.Context, slug: OAuthSlug): Promise<Admission> {
    const ticket = textFields(new URLSearchParams(ctx.querystring)).get('ticket')
    const credential = readCredential(ctx.req.headers, ctx.req.rawHeaders)
    if (ticket === undefined) return authenticate('bearer', credential, credentials)
    if (credential.kind !== 'none') throw problem('ambiguous_credentials')
    const seller = await redeemTicket(services.db, ticket, slug)
    if (seller !== null) return seller
    throw problem('code_invalid', 'This link works once, and for one minute. Start again from where you came.')
  }

  return async (ctx) => {
    const { adapter } = findConnectable(services, String(ctx.params.slug))
    // A look at the address (a link preview, a prefetch) must not use the ticket up.
    if (ctx.method === 'HEAD' || /prefetch/.test(ctx.get('sec-purpose'))) {
      ctx.status = 204
      return
    }
    const seller = await sellerOf(ctx, adapter.slug)
    const browser = setCookie(ctx, browserCookie, readCookie(ctx, browserCookie) ?? undefined)
    ctx.redirect(await beginAuthorization(services, adapter, seller, browser))
    ctx.body = ''
  }
}
