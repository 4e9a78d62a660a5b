import type Koa from 'koa'
import { html } from '#server/infra/html.ts'
import { sendPage } from '../layout.ts'

/**
 * After a form of ours: on to a platform. Not a redirect: browsers hold a form's whole chain of redirects to form-action,
 * and no list of ours could name every host of a platform's sign-in.
 */
export function sendOnward(
  ctx: Koa.Context,
  platform: string,
  url: string,
  words = `${platform} will ask whether Hapax may work for your shop, then send you back here.`,
): void {
  ctx.set('Refresh', `0; url=${url}`)
  sendPage(ctx, {
    title: `On to ${platform}`,
    body: html`<h1>On to ${platform}</h1>
<p>${words}</p>
<p><a class="button" href="${url}">Continue to ${platform}</a></p>`,
  })
}
