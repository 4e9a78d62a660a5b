import { useState } from 'preact/hooks'
import type { z } from 'zod'
import { reauthenticate } from '#shared/contract/account/accounts.ts'
import { getSecondFactor } from '#shared/contract/account/second-factor.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { Dialog } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount, messageOf } from './call-account.ts'
import { usePasskey } from './passkey-device.ts'
import { text } from './words.ts'

/** Asks the seller for a newer proof: the password, a code where the account has a second factor, or a passkey. */
export function Prove(props: { onClose: () => void; onProven: () => void }) {
  const request = useRequest('second-factor', () => callAccount(getSecondFactor, {}))
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const factor = request.state === 'ready' ? request.value : null
  const takesCode = factor !== null && factor.totp_confirmed_at !== null
  const prove = (proof: () => Promise<z.input<typeof reauthenticate.body>>) => {
    setProblem(null)
    proof()
      .then((body) => callAccount(reauthenticate, { body }))
      .then(props.onProven, (error: unknown) => setProblem(messageOf(error)))
  }
  return (
    <Dialog title={text('prove.title')} onClose={props.onClose}>
      {request.state === 'failed' && <Notice tone="bad">{request.message}</Notice>}
      {factor && (
        <form onSubmit={handleSubmit(() => prove(async () => (takesCode ? proofOfCode(typed) : { password: typed })))}>
          <p>{text(takesCode ? 'prove.text_code' : 'prove.text')}</p>
          {problem && <Notice tone="bad">{problem}</Notice>}
          <TextInput
            label={text(takesCode ? 'prove.code' : 'prove.password')}
            type={takesCode ? 'text' : 'password'}
            autocomplete={takesCode ? 'one-time-code' : 'current-password'}
            required
            value={typed}
            onInput={setTyped}
          />
          {!takesCode && factor.passkeys === 0 && <p class="soft">{text('prove.other')}</p>}
          <div class="buttons">
            <button type="button" onClick={props.onClose}>
              {text('cancel')}
            </button>
            {factor.passkeys > 0 && (
              <button type="button" onClick={() => prove(async () => ({ passkey: await usePasskey() }))}>
                {text('prove.passkey')}
              </button>
            )}
            <button type="submit" class="main">
              {text('prove.go')}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** Returns the code of an app, or a recovery code, by its form. */
function proofOfCode(typed: string): { totp_code: string } | { recovery_code: string } {
  const code = typed.trim()
  return /^[\d\s]{6,9}$/.test(code) ? { totp_code: code } : { recovery_code: code }
}
