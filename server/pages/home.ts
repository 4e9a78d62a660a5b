import type Koa from 'koa'
import { html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { platforms } from '#shared/platforms.ts'
import { sendPage } from './layout.ts'

/** `/`: introduces Hapax, shows whether it is running and links on. */
export function homePage({ db, config, platforms: configured, log }: Services): Koa.Middleware {
  return async (ctx) => {
    const running = await db
      .one('select 1 as one')
      .then(() => true)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'home page: the database does not answer')
        return false
      })
    sendPage(ctx, {
      title: 'Your items, listed everywhere, sold once',
      status: running ? 200 : 503,
      body: html`<h1>Your items, listed everywhere, sold once.</h1>
<p>Hapax keeps an inventory of one-of-a-kind items. It imports your listings from the marketplaces, lists items where
you want them, and ends an item's listings everywhere the moment it sells anywhere.</p>
<p>${running ? html`<strong class="good">Running.</strong> The server and its database answer.` : html`<strong class="bad">The database does not answer.</strong> Nothing is lost; try again in a moment.`}</p>
<h2>Where to go next</h2>
<ul>
<li><a href="/app/">Open your inventory</a>, in this browser or on your phone</li>
<li><a href="/connect/">Sign in and connect a shop</a></li>
<li><a href="/docs">Read the API reference</a> (<a href="/api/openapi.json">OpenAPI document</a>)</li>
${config.sandbox && html`<li><a href="/sandbox/">Open the sandbox</a>: mails and texts that would have been sent</li>`}
</ul>
<h2>Platforms</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">Platform</th><th scope="col">Reached by</th><th scope="col">On this server</th></tr></thead>
<tbody>
${platforms.map(
  (platform) => html`<tr><th scope="row">${platform.name}</th>
<td>${platform.connection === 'oauth' ? 'signing in there once' : 'the browser extension'}</td>
<td>${platform.connection === 'extension' || configured.has(platform.slug) ? 'ready' : html`<span class="soft">not configured</span>`}</td></tr>`,
)}
</tbody>
</table></div>`,
    })
  }
}
