import type Koa from 'koa'
import { databaseCredentials } from '#server/accounts/auth/credential-store.ts'
import { sessionLifetimes } from '#server/accounts/auth/sessions/lifetimes.ts'
import { maskEmail } from '#server/accounts/contact/email.ts'
import { authenticate, readCredential } from '#server/http/authenticate.ts'
import type { Admission } from '#server/http/lock-admitted.ts'
import { sql } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import { beginAuthorization } from '#server/integrations/connections/begin-authorization.ts'
import { findConnectable } from '#server/integrations/connections/find-connectable.ts'
import { issueTicket, redeemTicket } from '#server/integrations/connections/ticket.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { sendPage } from '../layout.ts'
import { browserCookie, readCookie, setCookie } from './cookies.ts'
import { sendOnward } from './onward.ts'
import { isSentByUs } from './opened-from.ts'
import { isOwnForm } from './own-form.ts'
import { readForm, textFields } from './read-form.ts'

const findName = sql(import.meta.url, './sql/find-name.sql')

/** How long the page that asks may be read. */
const askedSeconds = 600

/**
 * `/accounts/{slug}/login/` (spec 2.4, decisions 5): sends the seller's browser to the platform. Who the seller is, says a
 * single-use ticket, or the Authorization header of a web view; never a token in the address. A visitor
 * with a ticket from elsewhere than a page of ours is first asked whether the account is the right one: the ticket may be
 * somebody else's, whose account would get the shop.
 */
export function loginPages(services: Services): { open: Koa.Middleware; confirm: Koa.Middleware } {
  const { db } = services
  const credentials = databaseCredentials(db, services.limits, sessionLifetimes(services.config))

  async function sellerOf(ticket: string, slug: OAuthSlug): Promise<Admission> {
    const seller = await redeemTicket(db, ticket, slug)
    if (seller !== null) return seller
    throw problem('code_invalid', 'This link works once, and for one minute. Start again from where you came.')
  }

  function begin(ctx: Koa.Context, adapter: PlatformAdapter, seller: Admission): Promise<string> {
    const browser = setCookie(ctx, browserCookie, readCookie(ctx, browserCookie) ?? undefined)
    return beginAuthorization(services, adapter, seller, browser)
  }

  return {
    async open(ctx) {
      const { adapter, platform } = findConnectable(services, String(ctx.params.slug))
      // A look at the address (a link preview, a prefetch) must not use the ticket up.
      if (ctx.method === 'HEAD' || /prefetch/.test(ctx.get('sec-purpose'))) {
        ctx.status = 204
        return
      }
      const ticket = textFields(new URLSearchParams(ctx.querystring)).get('ticket')
      const credential = readCredential(ctx.req.headers, ctx.req.rawHeaders)
      if (ticket !== undefined && credential.kind !== 'none') throw problem('ambiguous_credentials')
      const seller =
        ticket === undefined
          ? await authenticate('bearer', credential, credentials)
          : await sellerOf(ticket, adapter.slug)
      if (ticket !== undefined && !isSentByUs(ctx)) {
        const account = await db.one<{ email: string | null; username: string }>(findName, { user_id: seller.user_id })
        const asked = await issueTicket(db, seller, adapter.slug, askedSeconds)
        return sendQuestion(ctx, { slug: adapter.slug, name: platform.name }, account, asked.ticket)
      }
      ctx.redirect(await begin(ctx, adapter, seller))
      ctx.body = ''
    },

    async confirm(ctx) {
      const { adapter, platform } = findConnectable(services, String(ctx.params.slug))
      if (!isOwnForm(ctx)) throw problem('wrong_credential_kind', 'This form was not sent from a page of Hapax.')
      const seller = await sellerOf((await readForm(ctx)).get('ticket') ?? '', adapter.slug)
      sendOnward(ctx, platform.name, await begin(ctx, adapter, seller))
    },
  }
}

/** The address of the account is masked: whoever was sent here may not be its owner. */
function sendQuestion(
  ctx: Koa.Context,
  platform: { slug: string; name: string },
  account: { email: string | null; username: string },
  ticket: string,
): void {
  // With no-referrer a browser says "Origin: null" for our own form too.
  ctx.set('Referrer-Policy', 'same-origin')
  const name = account.email === null ? account.username : maskEmail(account.email)
  sendPage(ctx, {
    title: `Connect your ${platform.name} shop?`,
    body: html`<h1>Connect your ${platform.name} shop?</h1>
<p>Connect your ${platform.name} shop to the Hapax account <strong>${name}</strong>? Whoever has that account can then
list, change and take down what you sell there.</p>
<form method="post" action="/accounts/${platform.slug}/login/">
<input type="hidden" name="ticket" value="${ticket}">
<div><button>Connect it to this account</button></div>
</form>
<p class="soft">Is that not your account? Then close this page. Nothing was connected.</p>`,
  })
}
