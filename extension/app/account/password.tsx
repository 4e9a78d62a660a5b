import { useState } from 'preact/hooks'
import { createClient } from '#shared/client/declared-client.ts'
import { changePassword, logOut } from '#shared/contract/account/accounts.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { TextInput } from '../components/fields.tsx'
import { leave } from '../web/sign-out.ts'
import { callAccount } from './call-account.ts'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

const empty = { current: '', next: '', again: '' }

/** Changes the password. All sessions end with it, so the seller signs in again. */
export function Password() {
  const [values, setValues] = useState(empty)
  const [differ, setDiffer] = useState(false)
  const { busy, act, notices } = useAccountAction()
  const field = (name: keyof typeof empty, label: string, autocomplete: 'current-password' | 'new-password') => (
    <TextInput
      label={label}
      type="password"
      required
      autocomplete={autocomplete}
      value={values[name]}
      aria-invalid={(name === 'again' && differ) || undefined}
      onInput={(value) => setValues({ ...values, [name]: value })}
    />
  )
  return (
    <section class="part" aria-labelledby="password">
      <h2 id="password">{text('password.title')}</h2>
      {notices}
      <form
        class="narrow-form"
        onSubmit={handleSubmit(() => {
          setDiffer(values.next !== values.again)
          if (values.next !== values.again) return
          void act(async () => {
            const { token } = await callAccount(changePassword, {
              body: {
                current_password: values.current,
                new_password: values.next,
                new_password_confirm: values.again,
              },
            })
            await endToken(token)
            await leave()
          })
        })}
      >
        {field('current', text('password.current'), 'current-password')}
        {field('next', text('password.new'), 'new-password')}
        {field('again', text('password.confirm'), 'new-password')}
        {differ && (
          <p class="bad" role="alert">
            {text('password.differ')}
          </p>
        )}
        <p class="soft">{text('password.text')}</p>
        <button type="submit" aria-disabled={busy}>
          {text('password.change')}
        </button>
      </form>
    </section>
  )
}

/** Ends the token that comes with a new password: the web app keeps none where scripts can read it. */
async function endToken(token: string): Promise<void> {
  const call = createClient({
    baseUrl: location.origin,
    token,
    fetch: (url, init) => fetch(url, { ...init, credentials: 'omit' }),
  })
  await call(logOut, {}).catch(() => null)
}
