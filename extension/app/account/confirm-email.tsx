import { useState } from 'preact/hooks'
import { getEmailVerification, requestEmailVerification } from '#shared/contract/account/accounts.ts'
import { useRequest } from '../hooks/use-request.ts'
import { useReturn } from '../hooks/use-return.ts'
import { callAccount } from './call-account.ts'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

/** Asks for the confirmation of the email address, and sends its link again, until the address is confirmed. */
export function ConfirmEmail() {
  const request = useRequest('email', () => callAccount(getEmailVerification, {}))
  // The link is opened in another tab.
  useReturn(request.again)
  const { busy, act, notices } = useAccountAction()
  const [sent, setSent] = useState(false)
  if (request.state !== 'ready' || request.value.email === null || request.value.email_verified) return null
  const { email, mails_at } = request.value
  return (
    <section class="part">
      <p class="warn">{text('email.confirm', { email })}</p>
      {notices}
      {mails_at && (
        <a class="button" href={mails_at} target="_blank" rel="noreferrer">
          {text('email.open')}
        </a>
      )}{' '}
      <button
        type="button"
        aria-disabled={busy}
        onClick={() =>
          act(async () => {
            await callAccount(requestEmailVerification, {})
            setSent(true)
          })
        }
      >
        {text('email.send')}
      </button>
      <p role="status" class="good">
        {sent && text('email.sent')}
      </p>
    </section>
  )
}
