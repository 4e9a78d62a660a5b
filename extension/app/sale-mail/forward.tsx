import { useState } from 'preact/hooks'
import { saleMailText as text } from '#extension/i18n/sale-mail-text.ts'
import { rotateSaleMailAddress } from '#shared/contract/sale-mail.ts'
import { callAccount } from '../account/call.ts'
import { ConfirmDialog } from '../account/confirm-dialog.tsx'
import { useAccountAction } from '../account/use-account-action.tsx'
import { CopiedLine } from './copied-line.tsx'

/** The addresses from which the marketplaces write whose sales only mails and pages tell. */
const senders = ['orders@poshmark.com', 'no-reply@alerts.us.mercari.com', 'sold@alerts.depop.com']

/** The search by which Gmail finds sale mails, and Poshmark's cancellations, which come from other addresses. */
export const gmailFilter = `from:(${senders.join(' OR ')}) OR (from:poshmark.com subject:canceled)`

/** The address to forward to, with the steps of common mail services. */
export function Forward({ address, onChanged }: { address: string; onChanged: () => void }) {
  const { busy, act, notices } = useAccountAction()
  const [asking, setAsking] = useState(false)
  const named = new Intl.ListFormat('en', { type: 'disjunction' }).format(senders)
  return (
    <section class="part" aria-labelledby="forward">
      <h2 id="forward">{text('forward.title')}</h2>
      <p class="soft">{text('forward.text')}</p>
      {notices}
      <CopiedLine line={address} name={text('forward.address')} />
      <details>
        <summary>{text('forward.gmail')}</summary>
        <ol class="steps">
          <li>{text('forward.gmail_add')}</li>
          <li>
            {text('forward.gmail_filter')}
            <CopiedLine line={gmailFilter} name={text('forward.gmail')} />
          </li>
          <li>{text('forward.gmail_tick')}</li>
        </ol>
      </details>
      <details>
        <summary>{text('forward.outlook')}</summary>
        <p class="soft">{text('forward.outlook_text', { senders: named })}</p>
      </details>
      <details>
        <summary>{text('forward.icloud')}</summary>
        <p class="soft">{text('forward.icloud_text', { senders: named })}</p>
      </details>
      <button type="button" class="link" aria-disabled={busy} onClick={() => setAsking(true)}>
        {text('forward.new')}
      </button>
      {asking && (
        <ConfirmDialog
          title={text('forward.new_title')}
          words={text('forward.new_text')}
          action={text('forward.new')}
          onCancel={() => setAsking(false)}
          onConfirm={() =>
            void act(async () => {
              setAsking(false)
              await callAccount(rotateSaleMailAddress, {})
              onChanged()
            })
          }
        />
      )}
    </section>
  )
}
