import type Koa from 'koa'
import { maskEmail } from '#server/accounts/contact/email.ts'
import { databaseCredentials } from '#server/accounts/sessions/credential-store.ts'
import { sessionLifetimes } from '#server/accounts/sessions/lifetimes.ts'
import { authenticate, readCredential } from '#server/http/credentials/authenticate.ts'
import type { RequestCredential } from '#server/http/credentials/reauthorize.ts'
import { problem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import { beginAuthorization } from '#server/integrations/connections/begin-authorization.ts'
import { findConnectable } from '#server/integrations/connections/find-connectable.ts'
import { issueTicket, redeemTicket } from '#server/integrations/connections/ticket.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { sendPage } from '../layout.ts'
import { keepBrowserCookie } from './browser-cookie.ts'
import { sendContinuePage } from './continue-page.ts'
import { readOwnForm } from './own-form.ts'
import * as sql from './queries.ts'
import { textFields } from './read-form.ts'
import type { ReadSession } from './session.ts'

/** Lifetime of the question page. */
const questionSeconds = 600

/**
 * `/accounts/{slug}/login/`: sends the seller's browser to the platform. A single-use ticket or the Authorization
 * header of a web view names the seller; the URL never contains a token. A visitor whose browser is not signed in to the
 * ticket's account must first confirm that account: the ticket may be a stranger's, whose account would get the shop.
 */
export function loginPages(services: Services, readSession: ReadSession) {
  const { db } = services
  const credentials = databaseCredentials(db, services.limits, sessionLifetimes(services.config))

  async function sellerOf(ticket: string, slug: OAuthSlug): Promise<RequestCredential> {
    const seller = await redeemTicket(db, ticket, slug)
    if (seller !== null) return seller
    throw problem('code_invalid', 'This link works once, and for one minute. Start again from where you came.')
  }

  function begin(ctx: Koa.Context, adapter: PlatformAdapter, seller: RequestCredential, isApp = false) {
    return beginAuthorization(services, adapter, seller, keepBrowserCookie(ctx, services.config.PUBLIC_URL), isApp)
  }

  const open: Koa.Middleware = async (ctx) => {
    const { adapter, platform } = findConnectable(services, String(ctx.params.slug))
    // Link previews and prefetching must not use up the ticket.
    if (ctx.method === 'HEAD' || /prefetch/.test(ctx.get('sec-purpose'))) {
      ctx.status = 204
      return
    }
    const fields = textFields(new URLSearchParams(ctx.querystring))
    const ticket = fields.get('ticket')
    const credential = readCredential(ctx.req.headers, ctx.req.rawHeaders)
    if (ticket !== undefined && credential.kind !== 'none') throw problem('ambiguous_credentials')
    const seller =
      ticket === undefined
        ? await authenticate('bearer', credential, credentials)
        : await sellerOf(ticket, adapter.slug)
    // The page that the visitor comes from proves nothing: its link may be a stranger's.
    if (ticket !== undefined && (await readSession(ctx))?.user_id !== seller.user_id) {
      const account = await db.one(sql.findName({ user_id: seller.user_id }))
      const asked = await issueTicket(db, seller, adapter.slug, questionSeconds)
      return sendQuestion(ctx, { slug: adapter.slug, name: platform.name }, account, asked.ticket)
    }
    // With a ticket, the web app in this browser is the account's by now.
    const isApp = ticket !== undefined && fields.get('from') === 'app'
    ctx.redirect(await begin(ctx, adapter, seller, isApp))
    ctx.body = ''
  }

  const confirm: Koa.Middleware = async (ctx) => {
    const { adapter, platform } = findConnectable(services, String(ctx.params.slug))
    const seller = await sellerOf((await readOwnForm(ctx)).get('ticket') ?? '', adapter.slug)
    sendContinuePage(ctx, platform.name, await begin(ctx, adapter, seller))
  }

  return { openConnection: open, confirmConnection: confirm }
}

/** Asks whether the account is right. Its address is masked, since the visitor may not be its owner. */
function sendQuestion(
  ctx: Koa.Context,
  platform: { slug: string; name: string },
  account: { email: string | null; username: string },
  ticket: string,
): void {
  // Browsers send "Origin: null" with forms under no-referrer.
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
