import { useState } from 'preact/hooks'
import { saleMailText as text } from '#extension/i18n/sale-mail-text.ts'
import { rotateSaleMailAddress } from '#shared/contract/sale-mail.ts'
import { callAccount } from '../account/call.ts'
import { ConfirmDialog } from '../account/confirm-dialog.tsx'
import { useAccountAction } from '../account/use-account-action.tsx'
import { CopiedLine } from './copied-line.tsx'

/** Domains of the marketplaces whose sales only mails and pages tell. Cancellations come from other addresses than sales. */
const domains = ['poshmark.com', 'mercari.com', 'depop.com']

/** The search by which Gmail finds sale mails. */
export const gmailFilter = `from:(${domains.join(' OR ')})`

/** The address to forward to, with the steps of common mail services. */
export function Forward({ address, onChanged }: { address: string; onChanged: () => void }) {
  const { busy, act, notices } = useAccountAction()
  const [asking, setAsking] = useState(false)
  const senders = new Intl.ListFormat('en').format(domains)
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
        <p class="soft">{text('forward.outlook_text', { domains: senders })}</p>
      </details>
      <details>
        <summary>{text('forward.icloud')}</summary>
        <p class="soft">{text('forward.icloud_text', { domains: senders })}</p>
      </details>
      <button type="button" class="quiet" aria-disabled={busy} onClick={() => setAsking(true)}>
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
