import { useState } from 'preact/hooks'
import { deleteSaleMailbox, putSaleMailbox, type SaleMailbox } from '#shared/contract/selling/sale-mail.ts'
import { callAccount } from '../account/call-account.ts'
import { useAccountAction } from '../account/use-account-action.tsx'
import { agoText } from '../common/format.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { mailboxServiceOf } from './mailbox-service.ts'
import { text } from './words.ts'

/** The mailbox that is read, or the form for one. */
export function Mailbox(props: { mailbox: SaleMailbox | null; onChanged: () => void }) {
  const { mailbox, onChanged } = props
  const [changes, setChanges] = useState(false)
  const changed = () => {
    setChanges(false)
    onChanged()
  }
  return (
    <section class="part" aria-labelledby="mailbox">
      <h2 id="mailbox">{text('mailbox.title')}</h2>
      <p class="soft">{text('mailbox.text')}</p>
      {mailbox && <Known mailbox={mailbox} onChange={() => setChanges(true)} onChanged={changed} />}
      {(!mailbox || changes) && <MailboxForm mailbox={mailbox} onChanged={changed} />}
    </section>
  )
}

function Known(props: { mailbox: SaleMailbox; onChange: () => void; onChanged: () => void }) {
  const { user, host, folder, state, last_error, checked_at } = props.mailbox
  const { busy, act, notices } = useAccountAction()
  const [leaving, setLeaving] = useState(false)
  return (
    <div>
      <p class="whole">{text('mailbox.where', { user, host, folder })}</p>
      <p class={state === 'failed' ? 'bad' : state === 'waiting' ? 'good' : 'soft'} role="status">
        {text(`mailbox.state.${state}`)}{' '}
        {checked_at && text('mailbox.checked', { when: agoText(Date.parse(checked_at)) })}
      </p>
      {last_error && <p class="soft whole">{last_error}</p>}
      {notices}
      <p class="links">
        <button type="button" class="link" onClick={props.onChange}>
          {text('mailbox.change')}
        </button>
        <button type="button" class="link" aria-disabled={busy} onClick={() => setLeaving(true)}>
          {text('mailbox.forget')}
        </button>
      </p>
      {leaving && (
        <ConfirmDialog
          title={text('mailbox.forget_title')}
          words={text('mailbox.forget_text')}
          action={text('mailbox.forget')}
          onCancel={() => setLeaving(false)}
          onAct={() =>
            void act(async () => {
              setLeaving(false)
              await callAccount(deleteSaleMailbox, {})
              props.onChanged()
            })
          }
        />
      )}
    </div>
  )
}

/** The form. The server tries the mailbox before it keeps it, and says what failed. */
function MailboxForm({ mailbox, onChanged }: { mailbox: SaleMailbox | null; onChanged: () => void }) {
  const { busy, act, notices } = useAccountAction()
  const [email, setEmail] = useState(mailbox?.user ?? '')
  const [host, setHost] = useState<string | null>(mailbox?.host ?? null)
  const service = mailboxServiceOf(email)
  return (
    <form
      class="narrow-form"
      onSubmit={(event) => {
        event.preventDefault()
        const given = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
        const { user = '', password = '', port, folder, tls } = given
        void act(async () => {
          await callAccount(putSaleMailbox, {
            body: {
              ...{ user: user.trim(), password, host: (given.host ?? '').trim() },
              tls: tls === 'starttls' ? 'starttls' : 'implicit',
              ...(port && { port: Number(port) }),
              ...(folder?.trim() && { folder: folder.trim() }),
            },
          })
          onChanged()
        })
      }}
    >
      {notices}
      <TextInput
        label={text('mailbox.email')}
        name="user"
        required
        maxLength={254}
        autocomplete="email"
        value={email}
        onInput={setEmail}
      />
      {service?.passwords === null && <p class="warn">{text('mailbox.no_password')}</p>}
      <TextInput
        label={text('mailbox.host')}
        name="host"
        required
        maxLength={253}
        autocomplete="off"
        placeholder="imap.example.com"
        value={host ?? service?.host ?? ''}
        onInput={setHost}
      />
      <TextInput
        label={text('mailbox.password')}
        name="password"
        type="password"
        required
        maxLength={1_000}
        autocomplete="off"
      />
      {service?.passwords && (
        <p>
          <a href={service.passwords} target="_blank" rel="noreferrer">
            {text('mailbox.app_password', { service: service.name })}
          </a>
        </p>
      )}
      <details>
        <summary>{text('mailbox.more')}</summary>
        <label>
          {text('mailbox.tls')}
          <select name="tls">
            <option value="implicit">{text('mailbox.tls.implicit')}</option>
            <option value="starttls">{text('mailbox.tls.starttls')}</option>
          </select>
        </label>
        <TextInput
          label={text('mailbox.port')}
          name="port"
          type="number"
          min={1}
          max={65_535}
          placeholder="993"
          defaultValue={mailbox ? String(mailbox.port) : ''}
        />
        <TextInput
          label={text('mailbox.folder')}
          name="folder"
          maxLength={255}
          placeholder="INBOX"
          defaultValue={mailbox?.folder ?? ''}
        />
      </details>
      <button type="submit" aria-disabled={busy}>
        {text(busy ? 'mailbox.trying' : 'mailbox.save')}
      </button>
    </form>
  )
}
