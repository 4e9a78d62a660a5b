import type Koa from 'koa'
import { originOf } from '#server/http/audited.ts'
import { type Html, html } from '#server/infra/html.ts'
import { isFromApp } from '#server/integrations/connections/begin-authorization.ts'
import { findConnectable } from '#server/integrations/connections/find-connectable.ts'
import { type CallbackOutcome, finishAuthorization } from '#server/integrations/connections/finish-authorization.ts'
import type { Services } from '#server/services.ts'
import { appPath } from '#shared/app-places.ts'
import { type Page, sendPage } from '../layout.ts'
import { readBrowserCookie } from './browser-cookie.ts'
import { seeOther } from './see-other.ts'

/**
 * `GET /accounts/{slug}/login/callback/`: the platform's redirect target. Leads back to the web app where the seller
 * comes from there, and otherwise names the connected shop or the next step.
 * Never shows the texts in its address, which anybody can write.
 */
export function callbackPage(services: Services): Koa.Middleware {
  return async (ctx) => {
    const { adapter, platform } = findConnectable(services, String(ctx.params.slug))
    const query = new URLSearchParams(ctx.querystring)
    // Treat a repeated parameter as missing.
    const only = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null)
    if (ctx.method === 'HEAD') {
      ctx.status = 204
      return
    }
    const state = only('state')
    const result = await finishAuthorization(services, adapter, {
      state,
      code: only('code'),
      error: query.has('error') ? (only('error') ?? '') : null,
      iss: query.has('iss') ? (only('iss') ?? '') : null,
      browser: readBrowserCookie(ctx, services.config.PUBLIC_URL),
    })
    if (result.outcome === 'connected') {
      const { user_id, seller_account_uid: target } = result
      await services.audit.record({ user_id, action: 'connection.made', target, origin: originOf(ctx) })
    }
    const isConnected = result.outcome === 'connected' || result.outcome === 'finished_before'
    if (isConnected && state && isFromApp(state)) return seeOther(ctx, `/app/?connected=${platform.slug}`)
    if (result.outcome === 'try_later') ctx.set('Retry-After', '30')
    if (result.outcome === 'busy') ctx.set('Retry-After', String(result.retryAfterSeconds))
    sendPage(ctx, resultPage(result, platform))
  }
}

const relistingAdvice = html`<p>Best with “Automatically relist canceled items” off in eBay’s site preferences. Hapax copes if it is on.</p>`

/** Returns the page of an outcome. */
function resultPage(result: CallbackOutcome, { slug, name: platform }: { slug: string; name: string }): Page {
  switch (result.outcome) {
    case 'connected':
    case 'finished_before':
      return {
        title: `${platform} is connected`,
        body: html`<h1>${platform} is connected</h1>
<p><strong class="good">Connected:</strong> the ${platform} shop <strong>${result.shop.external_name}</strong> is connected
to the Hapax account <strong>${result.accountName}</strong>.${result.outcome === 'connected' ? '' : ' This sign-in was finished before.'}</p>
<p>You can close this page now, and import your listings where you came from.</p>
${slug === 'ebay' ? relistingAdvice : ''}
<p><a class="button" href="/app/#home">Open Hapax</a> <a class="button plain" href="${appPath('shops')}">Connect another shop</a></p>
<p class="soft">Is that not your Hapax account? Then somebody else sent you here:
remove Hapax in your ${platform} account settings.</p>`,
      }
    case 'shop_in_use':
      return failure(409, `This ${platform} shop is in use`, [
        html`Another Hapax account holds the ${platform} shop <strong>${result.shop.external_name}</strong>. Nothing was changed.`,
        html`Disconnect it there first, or sign in to ${platform} with another account.`,
      ])
    case 'state_invalid':
      return failure(400, 'This sign-in cannot go on', [
        html`It was used already, took longer than ten minutes, or began in another browser. It connects no shop now.`,
      ])
    case 'mixed_up':
      return failure(400, 'This sign-in cannot go on', [
        html`The answer did not come from ${platform}. Nothing was connected.`,
      ])
    case 'declined':
      return failure(400, `${platform} was not connected`, [
        html`${platform} says that you did not agree. Nothing was connected, and nothing was changed.`,
      ])
    case 'refused':
      return failure(400, `${platform} was not connected`, [
        html`${platform} did not accept this sign-in. Nothing was connected.`,
        ...(result.why ? [html`${result.why}`] : []),
      ])
    case 'failed':
      return failure(502, `${platform} was not connected`, [
        html`${platform} answered in a way that Hapax does not understand. Nothing was connected.`,
      ])
    case 'busy':
      return failure(
        503,
        `${platform} is busy`,
        [
          html`Hapax has used up its calls to ${platform} for now. Nothing was connected, and your sign-in is kept for ten minutes.`,
          html`Try again in ${inWords(result.retryAfterSeconds)}.`,
        ],
        '',
      )
    case 'try_later':
      return failure(503, `${platform} does not answer`, [
        html`Nothing was connected. Wait a minute, then try again.`,
        ...(result.why ? [html`${result.why}`] : []),
      ])
  }
}

/** `href` is the target of "Try again"; an empty one reloads the page. */
function failure(status: number, title: string, sentences: Html[], href = appPath('shops')): Page {
  return {
    title,
    status,
    body: html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
<p><a class="button" href="${href}">Try again</a></p>`,
  }
}

function inWords(seconds: number): string {
  if (seconds < 100) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
