import { accountText as text } from '#extension/i18n/account-text.ts'
import { whenText } from '#extension/ui/format.ts'
import { useRequest } from '#extension/ui/hooks/use-request.ts'
import { validateToken } from '#shared/contract/accounts.ts'
import { getSubscription, type PricedSubscription } from '#shared/contract/billing.ts'
import { signOut } from '../sign-out.ts'
import { AlertMails } from './alert-mails.tsx'
import { ApiKeys } from './api-keys.tsx'
import { callAccount } from './call.ts'
import { Password } from './password.tsx'
import { PushNotices } from './push-notices.tsx'
import { Sessions } from './sessions.tsx'
import { Webhooks } from './webhooks.tsx'
import { Closing, YourData } from './your-data.tsx'

/** The account: subscription, notifications, alerts by mail, sign-in, keys, webhooks, data and closing. */
export function AccountPage() {
  const who = useRequest('who', () => callAccount(validateToken, {}))
  const subscription = useRequest('subscription', () => callAccount(getSubscription, {}))
  return (
    <main class="page item cards">
      <div class="part">
        <h1 tabIndex={-1}>{text('title')}</h1>
        {who.state === 'ready' && (
          <p class="soft">{text('who', { name: who.value.user.email ?? who.value.user.username })}</p>
        )}
      </div>
      <section class="part" aria-label={text('title')}>
        <ul class="rows">
          <li>
            <a href="#shops">{text('shops.open')}</a>
          </li>
          <li>
            <a href="/connect/?to=address">{text('address.open')}</a>
          </li>
          <li>
            <a href="/connect/?to=security">{text('security.open')}</a>
          </li>
        </ul>
        <button type="button" onClick={() => void signOut()}>
          {text('sign_out')}
        </button>
      </section>
      <section class="part" aria-labelledby="subscription">
        <h2 id="subscription">{text('subscription.title')}</h2>
        {subscription.state === 'ready' && <p>{subscriptionText(subscription.value)}</p>}
        <p>
          <a href="/connect/?to=subscription">{text('subscription.open')}</a>
        </p>
      </section>
      <PushNotices />
      <AlertMails />
      <Password />
      <Sessions />
      <ApiKeys />
      <Webhooks />
      <YourData />
      <Closing />
    </main>
  )
}

function subscriptionText({ active, source, ends_at, price }: PricedSubscription): string {
  const offer = price && source !== 'stripe' ? ` ${text('subscription.price', { price })}` : ''
  if (!active || ends_at === null) return text('subscription.none') + offer
  const when = whenText(Date.parse(ends_at))
  if (source !== 'trial') return text('subscription.active', { when }) + offer
  return text('subscription.trial', { when }) + (offer && `${offer} ${text('subscription.trial_kept')}`)
}
