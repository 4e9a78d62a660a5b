import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { accountText as text } from '#extension/i18n/account-text.ts'
import { errorText } from '#extension/messaging/error-text.ts'
import { Dialog } from '#extension/ui/components/dialog.tsx'
import { Notice } from '#extension/ui/components/notice.tsx'
import { HapaxError } from '#shared/client/error.ts'
import { reauthenticate } from '#shared/contract/accounts.ts'
import { callAccount } from './call.ts'

/**
 * Runs one action at a time. Where the server asks for a newer proof of the password, `notices` asks for it and the action
 * is repeated.
 */
export function useAccountAction(): {
  busy: boolean
  act: (work: () => Promise<void>) => Promise<void>
  notices: ComponentChildren
} {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [waiting, setWaiting] = useState<(() => Promise<void>) | null>(null)
  const act = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      if (error instanceof HapaxError && error.code === 'reauthentication_required') setWaiting(() => work)
      else setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const notices = (
    <>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {waiting && (
        <Prove
          onClose={() => setWaiting(null)}
          onProven={() => {
            setWaiting(null)
            void act(waiting)
          }}
        />
      )}
    </>
  )
  return { busy, act, notices }
}

/** Returns the server's sentence, with the fields that it names. */
function messageOf(error: unknown): string {
  if (error instanceof HapaxError && error.errors.length > 0) {
    return error.errors.map(({ field, message }) => `${field.replaceAll('_', ' ')} ${message}.`).join(' ')
  }
  return errorText(error)
}

function Prove(props: { onClose: () => void; onProven: () => void }) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <Dialog title={text('prove.title')} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          callAccount(reauthenticate, { body: { password } }).then(props.onProven, (error: unknown) =>
            setProblem(messageOf(error)),
          )
        }}
      >
        <p>{text('prove.text')}</p>
        {problem && <Notice tone="bad">{problem}</Notice>}
        <label>
          {text('prove.password')}
          <input
            type="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        <p class="soft">{text('prove.other')}</p>
        <div class="buttons">
          <button type="button" onClick={props.onClose}>
            {text('cancel')}
          </button>
          <button type="submit" class="main">
            {text('prove.go')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
