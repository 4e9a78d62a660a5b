import type Koa from 'koa'
import { html } from '#server/infra/html.ts'
import { sendPage } from '../layout.ts'

/**
 * Sends the browser from a form to a platform. A page with Refresh instead of a redirect: browsers apply form-action to
 * the whole chain of redirects, and the hosts of a platform's sign-in are not known.
 */
export function sendContinuePage(ctx: Koa.Context, platform: string, url: string): void {
  ctx.set('Refresh', `0; url=${url}`)
  sendPage(ctx, {
    title: `On to ${platform}`,
    width: 'form',
    body: html`<h1>On to ${platform}</h1>
<p>${platform} will ask whether Hapax may work for your shop, then send you back here.</p>
<p><a class="button" href="${url}">Continue to ${platform}</a></p>`,
  })
}
