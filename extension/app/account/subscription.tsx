import { useEffect, useState } from 'preact/hooks'
import { getSubscription, openCheckout, openPortal, type PricedSubscription } from '#shared/contract/account/billing.ts'
import { dateText } from '../common/format.ts'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { TabFinished } from './tab-finished.tsx'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

/** How often Stripe's confirmation of a payment is looked for, and the pause between two looks in ms. */
const maxLooks = 30
const lookMs = 2_000

/**
 * The subscription, and the ways to Stripe's pages of payment, card and cancelling. `hasPaid`: the seller comes from the
 * payment page. Only Stripe's confirmation counts, so the screen looks for it.
 */
export function Subscription({ hasPaid }: { hasPaid: boolean }) {
  const request = useRequest('subscription', () => callAccount(getSubscription, {}))
  const { busy, act, notices } = useAccountAction()
  const [looks, setLooks] = useState(0)
  const status = request.state === 'ready' ? request.value : null
  const isWaiting = hasPaid && status?.payments?.is_subscribed === false
  useEffect(() => {
    if (!isWaiting || looks >= maxLooks) return
    const timer = setTimeout(() => {
      request.again()
      setLooks(looks + 1)
    }, lookMs)
    return () => clearTimeout(timer)
  }, [isWaiting, looks])
  const leadTo = (page: typeof openCheckout | typeof openPortal) =>
    act(async () => {
      location.assign((await callAccount(page, {})).url)
    })
  if (status?.source === 'open') return null
  return (
    <section class="part" aria-labelledby="subscription">
      <h2 id="subscription">{text('subscription.title')}</h2>
      {notices}
      {request.state === 'failed' && <p class="bad">{request.message}</p>}
      {isWaiting && (
        <>
          <p role="status">{text(looks < maxLooks ? 'subscription.waiting' : 'subscription.unconfirmed')}</p>
          {looks >= maxLooks && (
            <button type="button" onClick={() => setLooks(0)}>
              {text('subscription.look')}
            </button>
          )}
        </>
      )}
      {status && !isWaiting && (
        <>
          <Problem status={status} />
          <p>{stateText(status)}</p>
          {!status.active && <p class="soft">{text('subscription.none')}</p>}
          {hasPaid && <TabFinished />}
          <Ways status={status} busy={busy} leadTo={leadTo} />
        </>
      )}
    </section>
  )
}

function Problem({ status: { payments } }: { status: PricedSubscription }) {
  if (!payments?.problem) return null
  const { problem, lists_until } = payments
  const until = lists_until === null ? '' : ` ${text('subscription.lists_until', { when: dateText(lists_until) })}`
  return (
    <p class="bad" role="alert">
      {text(`subscription.${problem}`) + until}
    </p>
  )
}

/** The buttons that lead to Stripe, or whom to ask where the server takes no payments. */
function Ways(props: {
  status: PricedSubscription
  busy: boolean
  leadTo: (page: typeof openCheckout | typeof openPortal) => Promise<void>
}) {
  const { price, payments, active } = props.status
  if (!payments) return null
  const { is_subscribed, first_payment_at, can_subscribe, can_manage } = payments
  if (!(is_subscribed ? can_manage : can_subscribe || can_manage)) {
    return <p class="soft">{text('subscription.ask', { server: location.host })}</p>
  }
  const begins = first_payment_at
    ? text('subscription.trial_kept', { when: dateText(first_payment_at) })
    : active && text('subscription.at_once')
  return (
    <>
      {can_subscribe && (
        <>
          <p>
            {[price && text('subscription.price', { price }), begins, text('subscription.no_card')]
              .filter(Boolean)
              .join(' ')}
          </p>
          <button type="button" class="main" aria-disabled={props.busy} onClick={() => props.leadTo(openCheckout)}>
            {text('subscription.subscribe')}
          </button>
        </>
      )}
      {can_manage && (
        <button type="button" aria-disabled={props.busy} onClick={() => props.leadTo(openPortal)}>
          {text(is_subscribed ? 'subscription.manage' : 'subscription.invoices')}
        </button>
      )}
    </>
  )
}

/** Returns the current or last subscription in words. */
function stateText({ active, source, ends_at, payments }: PricedSubscription): string {
  if (!active || ends_at === null) {
    const ended = payments?.ended
    if (!ended) return text('subscription.never')
    return text(ended.source === 'trial' ? 'subscription.trial_ended' : 'subscription.ended', {
      when: dateText(ended.at),
    })
  }
  const when = dateText(ends_at)
  if (source === 'trial') {
    return text('subscription.trial', { when }) + (payments?.is_subscribed ? ` ${text('subscription.then')}` : '')
  }
  if (source === 'operator') return text('subscription.given', { when })
  const renews = payments?.renews
  const after = renews === true ? 'subscription.renews' : renews === false ? 'subscription.cancelled' : null
  return text('subscription.active', { when }) + (after ? ` ${text(after)}` : '')
}
