import type Router from '@koa/router'
import { SealError } from '#server/infra/crypto/seal.ts'
import { sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import { isLocalCaller } from '#server/infra/local-caller.ts'
import { openMessage } from '#server/infra/mail-sms/outbox.ts'
import { sendPage } from '#server/pages/layout.ts'
import type { Services } from '#server/services.ts'

const listMessages = sql(import.meta.url, '../infra/mail-sms/sql/list-messages.sql')

interface Row {
  id: string
  channel: 'mail' | 'sms'
  template: string
  status: string
  sealed_message: Buffer
  created_at: string
  sent_at: string | null
}

/**
 * What the sandbox kept of mail and texts: `GET /sandbox/outbox` as JSON, newest first, and `/sandbox/` to look at.
 * Mounted in the sandbox only, and only programs on this machine read them: the messages hold reset links.
 */
export function mountSandboxOutbox(router: Router, services: Services): void {
  if (!services.config.sandbox) return
  const read = async () => {
    const rows = await services.db.any<Row>(listMessages, { limit: 500 })
    return rows.flatMap(({ sealed_message, ...row }) => {
      try {
        return [{ ...row, ...openMessage(services.config, row.id, sealed_message) }]
      } catch (error) {
        // Sealed with another SECRET_KEY: nobody can read it any more.
        if (error instanceof SealError) return []
        throw error
      }
    })
  }
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
    sendPage(ctx, {
      title: 'Sandbox',
      body: html`<h1>Sandbox</h1>
<p>Nothing leaves this machine: mails and texts end here. The same as JSON: <a href="/sandbox/outbox">/sandbox/outbox</a></p>
${platforms.length > 0 && html`<h2>Stand-ins</h2>`}
<ul>${platforms.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}</ul>
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
  ].filter(({ url }) => local(`${url}/`))
}

/** A mail's text with its addresses as links; everything else is escaped. */
function withLinks(text: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
}
