import type Koa from 'koa'
import { openCheckout, trialLeft } from '#server/accounts/billing/checkout.ts'
import { openPortal } from '#server/accounts/billing/portal.ts'
import { createPriceReader } from '#server/accounts/billing/read-price.ts'
import type { StripeFailure } from '#server/accounts/billing/stripe.ts'
import {
  findSubscriptionStatus,
  isOpenAtStripe,
  type SubscriptionStatus,
} from '#server/accounts/billing/subscription-status.ts'
import { type Html, html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import type { Subscription } from '#shared/contract/billing.ts'
import { sendPage } from '../layout.ts'
import { sendContinuePage } from './continue-page.ts'
import { seeOther } from './see-other.ts'
import { type PageSession, signedIn } from './session.ts'
import { signOutForm } from './sign-out-form.ts'

const path = '/connect/subscription/'

/** Polls for Stripe's confirmation of a payment, and their interval. */
const maxPolls = 30
const pollSeconds = 2

/**
 * `/connect/subscription/`: the seller's subscription, with forms that lead to Stripe for payment, card and
 * cancellation. Payments count only once Stripe confirms them, not when the seller returns.
 */
export function subscriptionPages(services: Services) {
  const { db } = services
  const { page, form } = signedIn(db, 'subscription')
  const readPrice = createPriceReader(services)

  const show = page(async (ctx, session) => {
    const status = await findSubscriptionStatus(db, services.config, session.user_id)
    const look = pollNumber(ctx)
    if (look !== null && !(status.stripe && isOpenAtStripe(status.stripe))) return sendWaiting(ctx, look)
    const isOpen = status.stripe !== null && isOpenAtStripe(status.stripe)
    sendSubscription(ctx, services, session, status, isOpen ? null : await readPrice())
  })

  /**
   * Stripe's return target. The Strict session cookie is missing on links from other sites, so this page shows nothing
   * private and refreshes to the one that does.
   */
  const back: Koa.Middleware = (ctx) => {
    const onward = ctx.query.from === 'checkout' ? `${path}?look=1` : path
    ctx.set('Refresh', `0; url=${onward}`)
    sendPage(ctx, {
      title: 'Back from Stripe',
      body: html`<h1>Back from Stripe</h1>
<p><a class="button" href="${onward}">See your subscription</a></p>`,
    })
  }

  const checkout = form(async (ctx, { user_id }) => {
    const opened = await openCheckout(services, user_id)
    if (opened.outcome === 'onward')
      return sendContinuePage(ctx, 'Stripe', opened.url, 'You pay there, and come back here.')
    if (opened.outcome === 'unreachable' || opened.outcome === 'refused')
      return sendFailure(ctx, 'checkout', opened.outcome)
    seeOther(ctx, path)
  })

  const portal = form(async (ctx, { user_id }) => {
    const opened = await openPortal(services, user_id)
    const words = 'You change the card or cancel there, and come back here.'
    if (opened.outcome === 'onward') return sendContinuePage(ctx, 'Stripe', opened.url, words)
    if (opened.outcome === 'unreachable' || opened.outcome === 'refused')
      return sendFailure(ctx, 'portal', opened.outcome)
    seeOther(ctx, path)
  })

  return {
    showSubscriptionPage: show,
    comeBackFromStripe: back,
    openCheckoutOnPage: checkout,
    openPortalOnPage: portal,
  }
}

/** Formats the subscription on one line for `/connect/`. */
export function subscriptionLine(status: SubscriptionStatus): Html {
  return html`${problemOf(status) ?? stateOf(status)}`
}

function sendSubscription(
  ctx: Koa.Context,
  { config, now }: Services,
  session: PageSession,
  status: SubscriptionStatus,
  price: string | null,
): void {
  const { stripe, subscription } = status
  const problem = problemOf(status)
  const subscribed = stripe !== null && isOpenAtStripe(stripe)
  const sells = config.STRIPE_SECRET_KEY !== undefined && config.STRIPE_PRICE_ID !== undefined
  sendPage(ctx, {
    title: 'Your subscription',
    body: html`<h1>Your subscription</h1>
<p>Account: <strong>${session.account_name}</strong></p>
${problem && html`<p class="error">${problem}</p>`}
${(!problem || (subscription.active && subscription.source !== 'stripe')) && html`<p>${stateOf(status)}</p>`}
${
  !subscription.active &&
  html`<p>Nothing new can be listed until there is one. What is listed stays, and still comes down everywhere when it sells.</p>`
}
${!subscribed && sells && subscribe(price, subscription, trialLeft(subscription, now()) !== null)}
${stripe && config.STRIPE_SECRET_KEY !== undefined && manage(subscribed)}
${
  (subscribed ? config.STRIPE_SECRET_KEY === undefined : !sells) &&
  html`<p>Payments are not taken on this page. For a subscription, ask whoever runs this server
(<strong>${new URL(config.PUBLIC_URL).host}</strong>), and tell them the name of your account.</p>`
}
<p><a href="/connect/">Back to your shops</a></p>
${signOutForm}`,
  })
}

/** `price`: in words, if known. `keepsTrial`: the first payment waits for the end of the trial. */
function subscribe(price: string | null, { active, ends_at }: Subscription, keepsTrial: boolean): Html {
  const begins = keepsTrial
    ? html` Your trial days are kept: you pay first on ${day(ends_at ?? '')}.`
    : html`${active && html` The first paid period begins at once.`}`
  return html`<form method="post" action="${path}checkout/"><button>Subscribe</button></form>
<p class="hint">${price !== null && html`<strong>${price}.</strong>`}${begins} Stripe takes the payment: Hapax sees no card.</p>`
}

const manage = (subscribed: boolean): Html => html`<form method="post" action="${path}portal/"><button${
  !subscribed && html` class="plain"`
}>${subscribed ? 'Change the card or cancel' : 'See your invoices'}</button></form>
<p class="hint">On Stripe's page. What you change there shows here within seconds.</p>`

/** Formats the current or last subscription. */
function stateOf({ subscription, stripe, ended }: SubscriptionStatus): Html {
  if (!subscription.active) {
    if (!ended) return html`<strong class="warn">There is no subscription.</strong>`
    return html`<strong class="warn">Your ${ended.source === 'trial' ? 'trial' : 'subscription'} ended</strong> on ${day(ended.at)}.`
  }
  const until = html`until ${day(subscription.ends_at ?? '')}`
  if (subscription.source === 'trial') {
    const after = stripe && isOpenAtStripe(stripe) && html` Then your subscription begins.`
    return html`<strong class="good">Trial</strong> ${until}.${after}`
  }
  if (subscription.source === 'operator') {
    return html`<strong class="good">Active</strong> ${until}, given by whoever runs this server.`
  }
  const after = { true: ' It renews by itself.', false: ' It was cancelled, and ends then.', null: '' }
  return html`<strong class="good">Active</strong> ${until}.${after[`${stripe?.renews ?? null}`]}`
}

/** Formats the problem at Stripe, if any. */
function problemOf({ stripe, grace_until, subscription }: SubscriptionStatus): Html | null {
  switch (stripe?.status) {
    case 'past_due':
    case 'unpaid': {
      const continues = subscription.active
        ? html` Listing goes on until ${day((subscription.source === 'stripe' ? grace_until : subscription.ends_at) ?? '')}.`
        : html` Listing has stopped.`
      return html`<strong class="bad">The last payment failed.</strong>${continues} Change the card, and it is tried again.`
    }
    case 'incomplete':
      return html`<strong class="bad">The first payment has not gone through.</strong> Finish it on Stripe's page.`
    case 'paused':
      return html`<strong class="bad">The subscription is paused at Stripe.</strong>`
    default:
      return null
  }
}

/** Returns the number of the current poll after a payment; null when not polling. */
function pollNumber(ctx: Koa.Context): number | null {
  const text = ctx.query.look
  if (typeof text !== 'string' || !/^\d{1,2}$/.test(text)) return null
  return Number(text)
}

function sendWaiting(ctx: Koa.Context, look: number): void {
  const continues = look < maxPolls
  if (continues) ctx.set('Refresh', `${pollSeconds}; url=${path}?look=${look + 1}`)
  sendPage(ctx, {
    title: 'Waiting for Stripe',
    body: html`<h1>Waiting for Stripe</h1>
<p role="status">${
      continues
        ? 'Stripe has not confirmed a payment yet. That takes a few seconds; this page checks again by itself.'
        : 'Stripe has still not confirmed a payment. If you did pay, it will, and nothing is paid twice.'
    }</p>
<p><a class="button" href="${path}?look=1">Look again</a></p>
<p><a href="${path}">I did not pay</a></p>`,
  })
}

/** Shows a failed request to Stripe. `refused` is a fault of ours and logged; the other passes. */
function sendFailure(ctx: Koa.Context, what: 'checkout' | 'portal', failure: StripeFailure): void {
  const title = failure === 'unreachable' ? 'Stripe does not answer' : 'Stripe did not open its page'
  if (failure === 'unreachable') ctx.set('Retry-After', '30')
  sendPage(ctx, {
    title,
    status: failure === 'unreachable' ? 503 : 502,
    body: html`<h1>${title}</h1>
<p class="error" role="alert">Nothing was paid, and nothing was changed. ${
      failure === 'unreachable'
        ? 'Wait a minute, then try again.'
        : 'That is for whoever runs this server to put right: tell them the reference below.'
    }</p>
<form method="post" action="${path}${what}/"><button>Try again</button></form>
<p><a href="${path}">Back to your subscription</a></p>
<p class="soft">Reference: <code>${ctx.state.requestId}</code></p>`,
  })
}

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const day = (iso: string): Html => html`<time datetime="${iso}">${dates.format(new Date(iso))} UTC</time>`
