import { escapeHtml } from '../kit/html.ts'
import { createPage, postButton } from '../kit/pages.ts'
import { type SandboxSession, type SandboxSubscription, type StripeState, subscriptionActions } from './objects.ts'

const page = createPage({
  name: 'Sandbox Stripe',
  banner: 'made-up money on your own machine',
  accent: '#3d3a8c',
})

/** Returns the page where a customer pays. `refused`: the card was just refused. */
export function checkoutPage(session: SandboxSession, email: string | null, refused = false): string {
  const path = `/c/pay/${session.id}`
  return page(
    'Subscribe to Hapax',
    `<p>12.00 USD a month, the first today.</p>
<p>Email: ${escapeHtml(email ?? 'asked for here')}</p>
${refused ? '<p role="alert"><strong>The card was refused. Nothing was paid.</strong></p>' : ''}
${postButton(`${path}/pay`, 'Pay', { primary: true })}${postButton(`${path}/refuse`, 'Pay with a card that is refused')}
<p><a href="${escapeHtml(session.cancel_url)}">Back</a></p>`,
  )
}

/** Returns the page where a subscriber changes the card and cancels. */
export function portalPage(id: string, subscriptions: SandboxSubscription[], returnUrl: string): string {
  const rows = subscriptions.map((one) => {
    const until = new Date((one.items.data[0]?.current_period_end ?? 0) * 1000).toISOString().slice(0, 10)
    const allowed = Object.entries(subscriptionActions).filter(([, { isAllowed }]) => isAllowed(one))
    const buttons = allowed
      .map(([action, { label }]) => postButton(`/p/session/${id}/${one.id}/${action}`, label))
      .join('')
    const state = one.cancel_at_period_end && one.status !== 'canceled' ? `${one.status}, ends` : one.status
    return `<p><strong>Hapax, 12.00 USD a month</strong>: ${state}, until ${until}</p><p>${buttons}</p>`
  })
  return page(
    'Your billing',
    `${rows.join('\n') || '<p>There is no subscription.</p>'}
<p><a href="${escapeHtml(returnUrl)}">Back to Hapax</a></p>`,
  )
}

/** Returns the list of customers and the buttons for fault injection. */
export function homePage(
  state: StripeState,
  { answers, sendsEvents }: { answers: boolean; sendsEvents: boolean },
): string {
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
<p>It ${answers ? 'answers' : '<strong>does not answer</strong>'}, and ${sendsEvents ? 'sends events' : '<strong>holds events back</strong>'}.</p>
${postButton(`/faults/${answers ? 'down' : 'up'}`, answers ? 'Stop answering' : 'Answer again')}
${postButton(`/faults/${sendsEvents ? 'hold' : 'send'}`, sendsEvents ? 'Hold events back' : 'Send held events')}`,
  )
}
