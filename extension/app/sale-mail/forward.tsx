import { useState } from 'preact/hooks'
import { rotateSaleMailAddress } from '#shared/contract/selling/sale-mail.ts'
import { callAccount } from '../account/call-account.ts'
import { useAccountAction } from '../account/use-account-action.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { CopiedLine } from './copied-line.tsx'
import { text } from './words.ts'

/** The addresses from which the marketplaces write whose sales only mails and pages tell. */
const senders = ['orders@poshmark.com', 'no-reply@alerts.us.mercari.com', 'sold@alerts.depop.com']

/** The search by which Gmail finds sale mails, and Poshmark's cancellations, which come from other addresses. */
export const gmailFilter = `from:(${senders.join(' OR ')}) OR (from:poshmark.com subject:canceled)`

/** The address to forward to, with the steps of a mail service. */
export function Forward(props: { address: string; way: 'gmail' | 'outlook' | 'icloud'; onChanged: () => void }) {
  const { address, way, onChanged } = props
  const { busy, act, notices } = useAccountAction()
  const [asking, setAsking] = useState(false)
  const named = new Intl.ListFormat('en', { type: 'disjunction' }).format(senders)
  return (
    <section class="part" aria-labelledby="forward">
      <h2 id="forward">{text('forward.title')}</h2>
      <p class="soft">{text('forward.text')}</p>
      {notices}
      <CopiedLine line={address} name={text('forward.address')} />
      {way === 'gmail' ? (
        <ol class="mail-steps">
          <li>{text('forward.gmail_add')}</li>
          <li>
            {text('forward.gmail_filter')}
            <CopiedLine line={gmailFilter} name={text('forward.gmail')} />
          </li>
          <li>{text('forward.gmail_tick')}</li>
        </ol>
      ) : (
        <p class="soft">{text(`forward.${way}_text`, { senders: named })}</p>
      )}
      <details>
        <summary>{text('forward.more')}</summary>
        <button type="button" class="link" aria-disabled={busy} onClick={() => setAsking(true)}>
          {text('forward.new')}
        </button>
      </details>
      {asking && (
        <ConfirmDialog
          title={text('forward.new_title')}
          words={text('forward.new_text')}
          action={text('forward.new')}
          onCancel={() => setAsking(false)}
          onAct={() =>
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
