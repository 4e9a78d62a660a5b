import { useState } from 'preact/hooks'
import { deactivateAccount, exportAccount } from '#shared/contract/account/accounts.ts'
import { download } from '../common/csv.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { leave } from '../web/sign-out.ts'
import { callAccount } from './call-account.ts'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

/** A copy of the account's data. */
export function YourData() {
  const { busy, act, notices } = useAccountAction()
  return (
    <section class="part" aria-labelledby="data">
      <h2 id="data">{text('data.title')}</h2>
      <p class="soft">{text('data.text')}</p>
      {notices}
      <button
        type="button"
        aria-disabled={busy}
        onClick={() =>
          act(async () => {
            const account = JSON.stringify(await callAccount(exportAccount, {}), null, 1)
            download('hapax-account.json', account, 'application/json')
          })
        }
      >
        {text(busy ? 'working' : 'data.download')}
      </button>
    </section>
  )
}

/** Closes the account after a typed confirmation. */
export function Closing() {
  const { busy, act, notices } = useAccountAction()
  const [asking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const isSure = typed.trim().toLowerCase() === text('closing.word')
  return (
    <section class="part" aria-labelledby="closing">
      <h2 id="closing">{text('closing.title')}</h2>
      <p class="soft">{text('closing.text')}</p>
      <button type="button" onClick={() => setAsking(true)}>
        {text('closing.open')}
      </button>
      {notices}
      {asking && (
        <Dialog title={text('closing.title')} onClose={() => setAsking(false)}>
          <form
            onSubmit={handleSubmit(() => {
              if (!isSure) return
              void act(async () => {
                setAsking(false)
                await callAccount(deactivateAccount, {})
                await leave('/')
              })
            })}
          >
            <p>{text('closing.text')}</p>
            <TextInput label={text('closing.confirm')} autocomplete="off" value={typed} onInput={setTyped} />
            <DialogButtons onCancel={() => setAsking(false)} action={text('closing.go')} isDisabled={!isSure || busy} />
          </form>
        </Dialog>
      )}
    </section>
  )
}
