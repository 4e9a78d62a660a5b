import type Koa from 'koa'
import { html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { platforms } from '#shared/platforms.ts'
import { sendPage } from './layout.ts'

/** `/`: introduces Hapax, leads a newcomer to an account, a shop and an import, and shows whether the server is running. */
export function homePage({ db, config, platforms: configured, log }: Services): Koa.Middleware {
  const oauth = platforms.filter(({ connection }) => connection === 'oauth')
  const ready = oauth.filter(({ slug }) => configured.has(slug))
  const connectable = (ready.length > 0 ? ready : oauth).map(({ name }) => name)
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
<p><a class="button" href="/connect/register/?to=app">Create an account</a>
<a class="button plain" href="/app/">Sign in</a></p>
<h2>How to start</h2>
<ol>
<li>Create an account. You need an email address and nothing to install.</li>
<li>Connect ${connectable.join(' or ')}.</li>
<li>Import your listings. Hapax finds the ones that show the same item.</li>
<li>For Poshmark, Mercari and Depop, <a href="/extension/">get the browser extension</a>: it works in your own closet.</li>
</ol>
<h2>Platforms</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">Platform</th><th scope="col">How it connects</th><th scope="col">Here</th></tr></thead>
<tbody>
${platforms.map(
  (platform) => html`<tr><th scope="row">${platform.name}</th>
<td>${platform.connection === 'oauth' ? 'Sign in there once' : 'Browser extension'}</td>
<td>${platform.connection === 'extension' || configured.has(platform.slug) ? 'Ready' : html`<span class="soft">Not set up</span>`}</td></tr>`,
)}
</tbody>
</table></div>
<h2>This server</h2>
<p>${running ? html`<strong class="good">Running.</strong> The server and its database answer.` : html`<strong class="bad">The database does not answer.</strong> Nothing is lost; try again in a moment.`}</p>
<ul>
<li><a href="/status">Status</a>: how fast sold items come down, as measured</li>
<li><a href="/docs">API reference</a> and <a href="/api/openapi.json">OpenAPI document</a></li>
${config.sandbox && html`<li><a href="/sandbox/">Sandbox</a>: mails and texts that would have been sent</li>`}
</ul>`,
    })
  }
}
