import type Router from '@koa/router'
import { notFound } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import { isLocalCaller } from '#server/infra/loopback.ts'
import { listMessages } from '#server/infra/mail-sms/list-messages.ts'
import { rooms } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'
import { sendPage } from './layout.ts'

/**
 * Mounts the sandbox's mails and texts: `GET /sandbox/outbox` as JSON, newest first, and `/sandbox/` as a page. Only
 * programs on this machine may read them, because they contain reset links.
 */
export function mountSandboxOutbox(router: Router, services: Services): void {
  if (!services.config.sandbox) return
  const read = () => listMessages(services, 500)
  router.get('/sandbox/outbox', async (ctx) => {
    if (!isLocalCaller(ctx.req)) throw notFound()
    ctx.set('Cache-Control', 'no-store')
    ctx.type = 'application/json'
    ctx.body = JSON.stringify(await read())
  })
  router.get('/sandbox/', async (ctx) => {
    if (!isLocalCaller(ctx.req)) throw notFound()
    const messages = await read()
    const platforms = platformLinks(services)
    const parts = await Promise.all(rooms.map(({ sandboxPart }) => sandboxPart?.(services)))
    sendPage(ctx, {
      title: 'Sandbox',
      body: html`<h1>Sandbox</h1>
<p>Nothing leaves this machine: mails and texts end here. The same as JSON: <a href="/sandbox/outbox">/sandbox/outbox</a></p>
${platforms.length > 0 && html`<h2>Test marketplaces</h2>`}
<ul>${platforms.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}</ul>
<p>The country of a seller is chosen where eBay and Etsy ask whom you sign in as: each is of one, with its site, currency and words.</p>
${parts}
<h2>Mails and texts</h2>
${messages.length === 0 && html`<p class="soft">None yet. Register, or ask for a new password.</p>`}
${messages.map(
  (message) => html`<article>
<h3>${message.channel === 'mail' ? message.subject : 'Text'}</h3>
<p class="soft">${message.channel === 'mail' ? 'Mail' : 'Text'} to ${message.to} · <time datetime="${message.created_at}">${message.created_at}</time></p>
<pre class="letter">${withLinks(message.text)}</pre>
</article>`,
)}`,
    })
  })
}

function platformLinks({ config }: Services): { name: string; url: string }[] {
  const local = (url: string) => /^https?:\/\/(127\.0\.0\.1|localhost)[:/]/.test(url)
  return [
    { name: 'eBay', url: config.EBAY_API_URL },
    { name: 'Etsy', url: config.ETSY_API_URL },
    { name: 'Apple', url: config.APPLE_URL },
    { name: 'Stripe', url: config.STRIPE_URL },
  ].filter(({ url }) => local(`${url}/`))
}

/** Renders a mail's text with its URLs as links; everything else is escaped. */
function withLinks(text: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
}
