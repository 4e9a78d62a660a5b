import type Koa from 'koa'
import { createPriceReader } from '#server/accounts/billing/read-price.ts'
import { mayRegister } from '#server/accounts/registration/admit.ts'
import { html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { platforms } from '#shared/platforms.ts'
import { sendPage } from './layout.ts'

/** The price is asked for again after this time, so that a page that many open asks Stripe seldom even while it fails. */
const priceKeptMs = 60_000

/** `/`: shows sellers what Hapax does for them and what it costs, and leads to an account. */
export function homePage(services: Services): Koa.Middleware {
  const { config, platforms: configured } = services
  const readPrice = createPriceReader(services)
  let price: Promise<string | null> | null = null
  let readMs = 0
  const connectable = platforms.filter(({ connection, slug }) => connection === 'oauth' && configured.has(slug))
  const names = (all: readonly { name: string }[]) => new Intl.ListFormat('en-US').format(all.map(({ name }) => name))
  const others = platforms.filter(({ connection }) => connection === 'extension')
  const shown = names([...connectable, ...others])
  return async (ctx) => {
    if (!price || performance.now() - readMs > priceKeptMs) {
      readMs = performance.now()
      price = readPrice()
    }
    const [costs, isOpen] = await Promise.all([price, mayRegister(services)])
    sendPage(ctx, {
      title: 'Your items, listed everywhere, sold once',
      width: 'wide',
      body: html`<h1>Your items, listed everywhere, sold once.</h1>
<p class="lead">One coat, one camera, one signed book: you have each of them once, and list it in several places. Hapax keeps
your inventory together, and takes an item down elsewhere when it sells.</p>
<p>${isOpen && html`<a class="button" href="/connect/register/?to=app">Create an account</a>`}
<a class="button${isOpen && ' plain'}" href="/app/">Sign in</a></p>
<picture>
<source media="(width < 700px) and (prefers-color-scheme: dark)" srcset="/assets/home-phone-dark.webp" width="390" height="844">
<source media="(width < 700px)" srcset="/assets/home-phone-light.webp" width="390" height="844">
<source media="(prefers-color-scheme: dark)" srcset="/assets/inventory-dark.webp">
<img class="shot" src="/assets/inventory-light.webp" width="1280" height="800" alt="Hapax: each item once, with its photo, its price and the marketplaces where it is live">
</picture>
<h2>What it does</h2>
<ul class="read">
<li><strong>Brings in what you already sell.</strong> Import your listings from ${shown}. Hapax finds the ones that show the
same item, and asks where it is not sure.</li>
<li><strong>Lists an item where you want it.</strong> Describe it once. Before anything is sent you see category, price and
fees, and what a marketplace would refuse.</li>
<li><strong>Prevents selling it twice.</strong> ${
        connectable.length > 0 && html`An item that sells comes down on ${names(connectable)} by itself. `
      }${names(others)} have no way in for programs: Hapax tells you at once what to end there, or ends it in your own browser
if you turn that on.</li>
<li><strong>Gets it out of the door.</strong> What to ship, where it lies on your shelf, packing slips, and what is left of
each sale after fees and costs.</li>
</ul>
${
  costs &&
  html`<h2 id="price">Price</h2>
<p><strong>${costs}</strong>${config.TRIAL_DAYS > 0 && `, after ${config.TRIAL_DAYS} days free of charge, which need no card`}.</p>`
}
<h2>How to start</h2>
<ol class="read">
<li>${isOpen ? 'Create an account. You need an email address and nothing to install.' : 'Ask whoever runs this server for an account.'}</li>
${connectable.length > 0 && html`<li>Connect ${names(connectable)}: you sign in there once. Then import your listings.</li>`}
<li>For ${names(others)}, <a href="/extension/">get the browser extension</a>: it works in your own closet.</li>
</ol>
<p class="soft">For developers and operators: <a href="/docs">API reference</a>, <a href="/status">status</a>${
        config.sandbox && html`, <a href="/sandbox/">sandbox</a> (mails and texts that would have been sent)`
      }</p>`,
    })
  }
}
