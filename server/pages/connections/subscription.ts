import type Koa from 'koa'
import { openCheckout } from '#server/accounts/billing/checkout.ts'
import { openPortal } from '#server/accounts/billing/portal.ts'
import { findStanding, isOpenAtStripe, type Standing } from '#server/accounts/billing/standing.ts'
import type { StripeFailure } from '#server/accounts/billing/stripe.ts'
import { type Html, html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { sendPage } from '../layout.ts'
import { sendOnward } from './onward.ts'
import { readOwnForm } from './own-form.ts'
import { seeOther } from './see-other.ts'
import { type PageSession, readSession } from './session.ts'
import { signOutForm } from './sign-out-form.ts'

const path = '/connect/subscription/'
const signIn = '/connect/?to=subscription'

/** How often the page looks again by itself for what Stripe tells of a payment, and how long it waits in between. */
const looks = 30
const lookSeconds = 2

/**
 * `/connect/subscription/`: how a seller stands, and the way to Stripe's pages where one pays, changes the card and
 * cancels (decisions 11). Forms, no script. What it says of a payment is what Stripe has told, never that somebody came back.
 */
export function subscriptionPages(services: Services) {
  const { db } = services

  const show: Koa.Middleware = async (ctx) => {
    const session = await readSession(db, ctx)
    if (!session) return seeOther(ctx, signIn)
    const standing = await findStanding(db, services.config, session.user_id)
    const look = lookOf(ctx)
    if (look !== null && !(standing.stripe && isOpenAtStripe(standing.stripe))) return sendWaiting(ctx, look)
    sendStanding(ctx, services, session, standing)
  }

  /**
   * Where Stripe sends the browser back to. Another site's link comes without the session's cookie, which is Strict: this
   * page has nothing of anybody's, and goes on to the one that has, with it.
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

  const checkout: Koa.Middleware = async (ctx) => {
    await readOwnForm(ctx)
    const session = await readSession(db, ctx)
    if (!session) return seeOther(ctx, signIn)
    const opened = await openCheckout(services, session.user_id)
    if (opened.outcome === 'onward') return sendOnward(ctx, 'Stripe', opened.url, 'You pay there, and come back here.')
    if (opened.outcome === 'unreachable' || opened.outcome === 'refused')
      return sendFailure(ctx, 'checkout', opened.outcome)
    seeOther(ctx, path)
  }

  const portal: Koa.Middleware = async (ctx) => {
    await readOwnForm(ctx)
    const session = await readSession(db, ctx)
    if (!session) return seeOther(ctx, signIn)
    const opened = await openPortal(services, session.user_id)
    const words = 'You change the card or cancel there, and come back here.'
    if (opened.outcome === 'onward') return sendOnward(ctx, 'Stripe', opened.url, words)
    if (opened.outcome === 'unreachable' || opened.outcome === 'refused')
      return sendFailure(ctx, 'portal', opened.outcome)
    seeOther(ctx, path)
  }

  return { show, back, checkout, portal }
}

/** The subscription as `/connect/` shows it, in a line. */
export function standingLine(standing: Standing): Html {
  return html`${problemOf(standing) ?? stateOf(standing)}`
}

function sendStanding(ctx: Koa.Context, { config }: Services, session: PageSession, standing: Standing): void {
  const { stripe, subscription } = standing
  const problem = problemOf(standing)
  const subscribed = stripe !== null && isOpenAtStripe(stripe)
  const sells = config.STRIPE_SECRET_KEY !== undefined && config.STRIPE_PRICE_ID !== undefined
  sendPage(ctx, {
    title: 'Your subscription',
    body: html`<h1>Your subscription</h1>
<p>Account: <strong>${session.account_name}</strong></p>
${problem && html`<p class="error">${problem}</p>`}
${(!problem || (subscription.active && subscription.source !== 'stripe')) && html`<p>${stateOf(standing)}</p>`}
${
  !subscription.active &&
  html`<p>Nothing new can be listed until there is one. What is listed stays, and still comes down everywhere when it sells.</p>`
}
${!subscribed && sells && subscribe(subscription.active)}
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

const subscribe = (
  active: boolean,
): Html => html`<form method="post" action="${path}checkout/"><button>Subscribe</button></form>
<p class="hint">The price and the payment are on Stripe's page: Hapax sees no card.${
  active && html` The first period is paid, and begins, when you subscribe.`
}</p>`

const manage = (subscribed: boolean): Html => html`<form method="post" action="${path}portal/"><button${
  !subscribed && html` class="plain"`
}>${subscribed ? 'Change the card or cancel' : 'See your invoices'}</button></form>
<p class="hint">On Stripe's page. What you change there shows here within seconds.</p>`

/** What the seller has, or had. */
function stateOf({ subscription, stripe, ended }: Standing): Html {
  if (!subscription.active) {
    if (!ended) return html`<strong class="warn">There is no subscription.</strong>`
    return html`<strong class="warn">Your ${ended.source === 'trial' ? 'trial' : 'subscription'} ended</strong> on ${day(ended.at)}.`
  }
  const until = html`until ${day(subscription.ends_at ?? '')}`
  if (subscription.source === 'trial') return html`<strong class="good">Trial</strong> ${until}.`
  if (subscription.source === 'operator') {
    return html`<strong class="good">Active</strong> ${until}, given by whoever runs this server.`
  }
  const after = { true: ' It renews by itself.', false: ' It was cancelled, and ends then.', null: '' }
  return html`<strong class="good">Active</strong> ${until}.${after[`${stripe?.renews ?? null}`]}`
}

/** What is wrong at Stripe, where something is. */
function problemOf({ stripe, grace_until, subscription }: Standing): Html | null {
  switch (stripe?.status) {
    case 'past_due':
    case 'unpaid': {
      const goesOn = subscription.active
        ? html` Listing goes on until ${day((subscription.source === 'stripe' ? grace_until : subscription.ends_at) ?? '')}.`
        : html` Listing has stopped.`
      return html`<strong class="bad">The last payment failed.</strong>${goesOn} Change the card, and it is tried again.`
    }
    case 'incomplete':
      return html`<strong class="bad">The first payment has not gone through.</strong> Finish it on Stripe's page.`
    case 'paused':
      return html`<strong class="bad">The subscription is paused at Stripe.</strong>`
    default:
      return null
  }
}

/** Back from paying: which look for Stripe's word this is; null where nobody waits for it, or for too long. */
function lookOf(ctx: Koa.Context): number | null {
  const text = ctx.query.look
  if (typeof text !== 'string' || !/^\d{1,2}$/.test(text)) return null
  return Number(text)
}

function sendWaiting(ctx: Koa.Context, look: number): void {
  const goesOn = look < looks
  if (goesOn) ctx.set('Refresh', `${lookSeconds}; url=${path}?look=${look + 1}`)
  sendPage(ctx, {
    title: 'Waiting for Stripe',
    body: html`<h1>Waiting for Stripe</h1>
<p role="status">${
      goesOn
        ? 'Stripe has not told of a payment yet. That takes some seconds; this page looks again by itself.'
        : 'Stripe has still not told of a payment. If you did pay, it will: nothing is paid twice meanwhile.'
    }</p>
<p><a class="button" href="${path}?look=1">Look again</a></p>
<p><a href="${path}">I did not pay</a></p>`,
  })
}

/** `refused` is ours to put right, and in the log; the other passes. */
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
