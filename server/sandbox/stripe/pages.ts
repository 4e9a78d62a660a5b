import { escapeHtml } from '#server/infra/html.ts'
import { deeds, type FakeSession, type FakeSubscription, type StripeState } from './world.ts'

/** The pages of the sandbox Stripe. They work without scripts, by keyboard, and say that they are not Stripe. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Sandbox Stripe</title>
<style>
body{font:17px/1.5 system-ui,sans-serif;margin:0;color:#1c1c1e;background:#f0f1f6}
header{background:#3d3a8c;color:#fff;padding:.7rem 1rem}
main{max-width:42rem;margin:1.5rem auto;padding:1.5rem;background:#fff;border-radius:10px;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin-top:0}
form{display:inline}
button{font:inherit;padding:.6rem 1.2rem;margin:.2rem .4rem .2rem 0;border-radius:8px;border:1px solid #3d3a8c;cursor:pointer;background:#fff;color:#3d3a8c}
button.main{background:#3d3a8c;color:#fff}
a{color:#3d3a8c}
:focus-visible{outline:3px solid #1f6f8b;outline-offset:2px}
</style>
</head>
<body>
<header>Sandbox Stripe: made-up money on your own machine</header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>`
}

const button = (action: string, words: string, main = false) =>
  `<form method="post" action="${escapeHtml(action)}"><button${main ? ' class="main"' : ''}>${escapeHtml(words)}</button></form>`

/** Where a customer pays; null `refused` unless the card was just refused. */
export function checkoutPage(session: FakeSession, email: string | null, refused = false): string {
  const path = `/c/pay/${session.id}`
  return page(
    'Subscribe to Hapax',
    `<p>12.00 USD a month, the first today.</p>
<p>Email: ${escapeHtml(email ?? 'asked for here')}</p>
${refused ? '<p role="alert"><strong>The card was refused. Nothing was paid.</strong></p>' : ''}
${button(`${path}/pay`, 'Pay', true)}${button(`${path}/refuse`, 'Pay with a card that is refused')}
<p><a href="${escapeHtml(session.cancel_url)}">Back</a></p>`,
  )
}

/** Where a subscriber changes the card and cancels. */
export function portalPage(id: string, subscriptions: FakeSubscription[], returnUrl: string): string {
  const rows = subscriptions.map((one) => {
    const until = new Date((one.items.data[0]?.current_period_end ?? 0) * 1000).toISOString().slice(0, 10)
    const doable = Object.entries(deeds).filter(([, { can }]) => can(one))
    const buttons = doable.map(([deed, { does }]) => button(`/p/session/${id}/${one.id}/${deed}`, does)).join('')
    const state = one.cancel_at_period_end && one.status !== 'canceled' ? `${one.status}, ends` : one.status
    return `<p><strong>Hapax, 12.00 USD a month</strong>: ${state}, until ${until}</p><p>${buttons}</p>`
  })
  return page(
    'Your billing',
    `${rows.join('\n') || '<p>There is no subscription.</p>'}
<p><a href="${escapeHtml(returnUrl)}">Back to Hapax</a></p>`,
  )
}

/** Who pays here, and how Stripe is made to fail. */
export function homePage(state: StripeState, { answers, tells }: { answers: boolean; tells: boolean }): string {
  const customers = Object.values(state.customers).map(({ id, email, metadata }) => {
    const theirs = Object.values(state.subscriptions).filter(({ customer }) => customer === id)
    const status = theirs.map((one) => one.status).join(', ') || 'no subscription'
    return `<li>${escapeHtml(email ?? `account ${metadata.user_id ?? '?'}`)}: ${status}</li>`
  })
  return page(
    'Sandbox Stripe',
    `<h2>Customers</h2>
<ul>${customers.join('') || '<li>None yet.</li>'}</ul>
<h2>Make Stripe fail</h2>
<p>It ${answers ? 'answers' : '<strong>does not answer</strong>'}, and ${tells ? 'tells what happened' : '<strong>keeps what happened to itself</strong>'}.</p>
${button(`/trouble/${answers ? 'down' : 'up'}`, answers ? 'Answer no more' : 'Answer again')}
${button(`/trouble/${tells ? 'mute' : 'tell'}`, tells ? 'Hold back what it tells' : 'Tell what was held back')}`,
  )
}
