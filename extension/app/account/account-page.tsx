import type { ComponentChildren } from 'preact'
import { appPlaces } from '#shared/app-places.ts'
import { validateToken } from '#shared/contract/account/accounts.ts'
import { useRequest } from '../hooks/use-request.ts'
import { rooms } from '../shell/rooms.ts'
import { signOut } from '../web/sign-out.ts'
import { Address } from './address.tsx'
import { AlertMails } from './alert-mails.tsx'
import { ApiKeys } from './api-keys.tsx'
import { callAccount } from './call-account.ts'
import { ConfirmEmail } from './confirm-email.tsx'
import { OwnServer } from './own-server.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { PushNotices } from './push-notices.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { Subscription } from './subscription.tsx'
import { accountParts, type Part, usePart } from './use-part.ts'
import { Webhooks } from './webhooks.tsx'
import { text } from './words.ts'
import { Closing, YourData } from './your-data.tsx'

const addressOf = (part: Part) => (part === 'general' ? appPlaces.account : `${appPlaces.account}/${part}`)

/** The account: its navigation, and the screen or the part that the address names. */
export function AccountPage() {
  const { part, hasPaid } = usePart()
  const who = useRequest('who', () => callAccount(validateToken, {}))
  const subscription = <Subscription key={String(hasPaid)} hasPaid={hasPaid} />
  const shown: Record<Part, ComponentChildren> = {
    general: [<ConfirmEmail key="email" />, subscription, <Address key="address" />, <OwnServer key="server" />],
    address: <Address isErrand />,
    subscription,
    notifications: [<PushNotices key="push" />, <AlertMails key="mails" />],
    security: [<SecondFactor key="app" />, <Passkeys key="keys" />, <Password key="word" />, <Sessions key="in" />],
    api: [<ApiKeys key="keys" />, <Webhooks key="hooks" />],
    data: [<YourData key="data" />, <Closing key="closing" />],
  }
  const isErrand = part === 'address' || part === 'subscription'
  return (
    <main class="page item cards">
      <div class="settings">
        <div class="settings-head">
          <div class="grow">
            <h1 tabIndex={-1}>{text('account')}</h1>
            {who.state === 'ready' && (
              <p class="soft cut">{text('who', { name: who.value.user.email ?? who.value.user.username })}</p>
            )}
          </div>
          {part === 'general' && (
            <button type="button" onClick={() => void signOut()}>
              {text('sign_out')}
            </button>
          )}
        </div>
        <nav aria-label={text('account')}>
          {accountParts.map((one) => (
            <a
              key={one}
              href={addressOf(one)}
              aria-current={one === part ? 'page' : one === 'general' && isErrand ? 'true' : undefined}
            >
              {text(`nav.${one}`)}
            </a>
          ))}
          <hr />
          <a href={appPlaces.shops}>{text('nav.shops')}</a>
          {rooms.map(
            ({ accountLink: link }) =>
              link && (
                <a key={link.hash} href={link.hash}>
                  {link.words}
                </a>
              ),
          )}
        </nav>
        <div class="parts">{shown[part]}</div>
      </div>
    </main>
  )
}
