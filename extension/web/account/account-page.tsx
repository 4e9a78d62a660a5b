import { accountText as text } from '#extension/i18n/account-text.ts'
import { useRequest } from '#extension/ui/hooks/use-request.ts'
import { validateToken } from '#shared/contract/accounts.ts'
import { signOut } from '../sign-out.ts'
import { Address } from './address.tsx'
import { AlertMails } from './alert-mails.tsx'
import { ApiKeys } from './api-keys.tsx'
import { callAccount } from './call.ts'
import { ConfirmEmail } from './confirm-email.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { PushNotices } from './push-notices.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { Subscription } from './subscription.tsx'
import { type Part, usePart } from './use-part.ts'
import { Webhooks } from './webhooks.tsx'
import { Closing, YourData } from './your-data.tsx'

/** The account, whole or the part that a link leads to. */
export function AccountPage() {
  const { part, hasPaid } = usePart()
  const shows = (...names: Part[]) => part === null || names.includes(part)
  return (
    <main class="page item cards">
      <Head part={part} />
      {shows('subscription') && <Subscription key={String(hasPaid)} hasPaid={hasPaid} />}
      {shows('address') && <Address />}
      {part === null && <PushNotices />}
      {part === null && <AlertMails />}
      {shows('security') && (
        <>
          <SecondFactor />
          <Passkeys />
          <Password />
          <Sessions />
        </>
      )}
      {part === null && (
        <>
          <ApiKeys />
          <Webhooks />
          <YourData />
          <Closing />
        </>
      )}
    </main>
  )
}

/** The name of the account, and the ways to the shops and out. */
function Head({ part }: { part: Part | null }) {
  const who = useRequest('who', () => callAccount(validateToken, {}))
  return (
    <>
      <div class="part">
        <h1 tabIndex={-1}>{text('title')}</h1>
        {who.state === 'ready' && (
          <p class="soft">{text('who', { name: who.value.user.email ?? who.value.user.username })}</p>
        )}
        {part !== null && <a href="#account">{text('all')}</a>}
      </div>
      {part === null && (
        <section class="part" aria-label={text('title')}>
          <ConfirmEmail />
          <ul class="rows">
            <li>
              <a href="#shops">{text('shops.open')}</a>
            </li>
            <li>
              <a href="#sale-mail">{text('sale_mail.open')}</a>
            </li>
          </ul>
          <button type="button" onClick={() => void signOut()}>
            {text('sign_out')}
          </button>
        </section>
      )}
    </>
  )
}
