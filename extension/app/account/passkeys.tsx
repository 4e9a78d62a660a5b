import { useState } from 'preact/hooks'
import { addPasskey, listPasskeys, type Passkey, removePasskey } from '#shared/contract/account/passkeys.ts'
import { agoText, whenText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { createPasskey } from './passkey-device.ts'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

/** The account's passkeys: add and remove. */
export function Passkeys() {
  const request = useRequest('passkeys', () => callAccount(listPasskeys, {}))
  const { busy, act, notices } = useAccountAction()
  const [name, setName] = useState('')
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const passkeys = request.state === 'ready' ? request.value : []
  return (
    <section class="part" aria-labelledby="passkeys">
      <h2 id="passkeys">{text('passkeys.title')}</h2>
      <p class="soft">{text('passkeys.text')}</p>
      {notices}
      {request.state === 'failed' && <p class="bad">{request.message}</p>}
      {request.state === 'ready' && passkeys.length === 0 && <p>{text('passkeys.none')}</p>}
      <ul class="rows">
        {passkeys.map((passkey) => (
          <li key={passkey.uid}>
            <div class="grow">
              <p class="cut">
                <strong>{passkey.name}</strong>
              </p>
              <p class="soft">
                {[
                  text('passkeys.added', { when: whenText(Date.parse(passkey.created_at)) }),
                  passkey.last_used_at
                    ? text('passkeys.used', { when: agoText(Date.parse(passkey.last_used_at)) })
                    : text('passkeys.never'),
                ].join(' · ')}
              </p>
            </div>
            <button
              type="button"
              aria-label={`${text('passkeys.remove')}, ${passkey.name}`}
              onClick={() => setRemoving(passkey)}
            >
              {text('passkeys.remove')}
            </button>
          </li>
        ))}
      </ul>
      <form
        class="inline"
        onSubmit={handleSubmit(() =>
          act(async () => {
            await callAccount(addPasskey, { body: { ...(await createPasskey()), name: name.trim() } })
            setName('')
            request.again()
          }),
        )}
      >
        <TextInput
          label={text('passkeys.name')}
          required
          maxLength={100}
          autocomplete="off"
          placeholder={text('passkeys.example')}
          value={name}
          onInput={setName}
        />
        <button type="submit" class="inline-go" aria-disabled={busy}>
          {text('passkeys.add')}
        </button>
      </form>
      {removing && (
        <ConfirmDialog
          title={text('passkeys.remove_title', { name: removing.name })}
          words={text('passkeys.remove_text')}
          action={text('passkeys.remove')}
          onCancel={() => setRemoving(null)}
          onAct={() =>
            void act(async () => {
              setRemoving(null)
              await callAccount(removePasskey, { params: { uid: removing.uid } })
              request.again()
            })
          }
        />
      )}
    </section>
  )
}
