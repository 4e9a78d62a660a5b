import type Router from '@koa/router'
import { notFound } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import { isLocalCaller } from '#server/infra/loopback.ts'
import { listMessages } from '#server/infra/mail-sms/list-messages.ts'
import { listSaleMailSellers } from '#server/selling/sale-mail/address.ts'
import type { Services } from '#server/services.ts'
import { decimalFromMinor } from '#shared/money.ts'
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
    const sellers = await listSaleMailSellers(services, 5)
    sendPage(ctx, {
      title: 'Sandbox',
      body: html`<h1>Sandbox</h1>
<p>Nothing leaves this machine: mails and texts end here. The same as JSON: <a href="/sandbox/outbox">/sandbox/outbox</a></p>
${platforms.length > 0 && html`<h2>Test marketplaces</h2>`}
<ul>${platforms.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}</ul>
<p>The country of a seller is chosen where eBay and Etsy ask whom you sign in as: each is of one, with its site, currency and words.</p>
${sellers.length > 0 && html`<h2>Sale mails</h2>`}
<ul>${sellers.map(
        (item) =>
          html`<li><a href="${saleMailPage(services, item)}">${
            item.title ? `Poshmark sold “${item.title}”` : 'Write a sale mail'
          }</a> <span class="soft">to ${item.email}</span></li>`,
      )}</ul>
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

/** The stand-in's page has the port of its name server. It sends the mail of an item that the address names. */
function saleMailPage({ config }: Services, item: Awaited<ReturnType<typeof listSaleMailSellers>>[number]): string {
  const { email, address, title, price_minor, currency, size, sku } = item
  const fields: Record<string, string> = { seller: email, address }
  if (title && currency) {
    const price = decimalFromMinor(Number(price_minor), currency)
    Object.assign(fields, { kind: 'poshmark-sale', title, price, size: size ?? '', sku: sku ?? '' })
  }
  return `http://${config.SALE_MAIL_DNS}/?${new URLSearchParams(fields)}`
}

/** Renders a mail's text with its URLs as links; everything else is escaped. */
function withLinks(text: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
}
