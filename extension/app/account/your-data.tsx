import { useState } from 'preact/hooks'
import { accountText as text } from '#extension/i18n/account-text.ts'
import { deactivateAccount, exportAccount } from '#shared/contract/account/accounts.ts'
import { Dialog } from '../components/dialog.tsx'
import { leave } from '../web/sign-out.ts'
import { callAccount } from './call.ts'
import { useAccountAction } from './use-account-action.tsx'

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
        onClick={() => act(async () => save(JSON.stringify(await callAccount(exportAccount, {}), null, 1)))}
      >
        {text(busy ? 'working' : 'data.download')}
      </button>
    </section>
  )
}

function save(content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'hapax-account.json'
  link.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
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
            onSubmit={(event) => {
              event.preventDefault()
              if (!isSure) return
              void act(async () => {
                setAsking(false)
                await callAccount(deactivateAccount, {})
                await leave('/')
              })
            }}
          >
            <p>{text('closing.text')}</p>
            <label>
              {text('closing.confirm')}
              <input autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
            </label>
            <div class="buttons">
              <button type="button" onClick={() => setAsking(false)}>
                {text('cancel')}
              </button>
              <button type="submit" class="main" aria-disabled={!isSure || busy}>
                {text('closing.go')}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </section>
  )
}
