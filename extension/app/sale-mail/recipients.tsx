import { useState } from 'preact/hooks'
import {
  addSaleMailRecipient,
  deleteSaleMailRecipient,
  type SaleMailOverview,
} from '#shared/contract/selling/sale-mail.ts'
import { callAccount } from '../account/call-account.ts'
import { useAccountAction } from '../account/use-account-action.tsx'
import { handleSubmit } from '../common/handle-submit.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { text } from './words.ts'

/** The addresses that marketplaces write to. The account's own comes first, and is confirmed with the account. */
export function Recipients(props: { recipients: SaleMailOverview['recipients']; onChanged: () => void }) {
  const { recipients, onChanged } = props
  const { busy, act, notices } = useAccountAction()
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<string | null>(null)
  const send = (to: string) =>
    act(async () => {
      setSentTo(null)
      await callAccount(addSaleMailRecipient, { body: { email: to } })
      setSentTo(to)
      setEmail('')
      onChanged()
    })
  return (
    <section class="part" aria-labelledby="recipients">
      <h2 id="recipients">{text('recipients.title')}</h2>
      <p class="soft">{text('recipients.text')}</p>
      <ul class="rows">
        {recipients.map((recipient, place) => (
          <li key={recipient.email}>
            <div class="grow">
              <p class="whole">{recipient.email}</p>
              <p class={recipient.verified_at ? 'good' : 'warn'}>
                {text(recipient.verified_at ? 'recipients.verified' : 'recipients.unverified')}
              </p>
            </div>
            {!recipient.verified_at && (
              <button
                type="button"
                class="quiet"
                aria-disabled={busy}
                aria-label={`${text('recipients.send')}: ${recipient.email}`}
                onClick={() => void send(recipient.email)}
              >
                {text('recipients.send')}
              </button>
            )}
            {place > 0 && (
              <button
                type="button"
                aria-label={`${text('recipients.remove')}: ${recipient.email}`}
                onClick={() => setLeaving(recipient.email)}
              >
                {text('recipients.remove')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {notices}
      <p role="status" class="good">
        {sentTo !== null && text('recipients.sent', { email: sentTo })}
      </p>
      <details>
        <summary>{text('recipients.more')}</summary>
        <form class="inline" onSubmit={handleSubmit(() => void send(email.trim()))}>
          <TextInput
            label={text('recipients.email')}
            type="email"
            required
            maxLength={254}
            autocomplete="off"
            value={email}
            onInput={setEmail}
          />
          <button type="submit" class="inline-go" aria-disabled={busy}>
            {text('recipients.add')}
          </button>
        </form>
      </details>
      {leaving !== null && (
        <ConfirmDialog
          title={text('recipients.remove_title', { email: leaving })}
          words={text('recipients.remove_text')}
          action={text('recipients.remove')}
          onCancel={() => setLeaving(null)}
          onAct={() =>
            void act(async () => {
              setLeaving(null)
              await callAccount(deleteSaleMailRecipient, { params: { email: leaving } })
              onChanged()
            })
          }
        />
      )}
    </section>
  )
}
