import { useState } from 'preact/hooks'
import { defaultServer, parseServerAddress } from '#extension/messaging/server-address.ts'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { host, MessageError, send } from '../host.ts'
import { text } from './words.ts'

/** Signs in with email and password, or with an API key. */
export function SignIn(props: {
  server: string | null
  /** The kind of key that ended, if any: made at sign-in, or pasted. */
  expired: 'made' | 'pasted' | null
  /** Result of signing out, shown before the next sign-in. */
  note?: string | null
  onSignedIn: (note: string | null) => Promise<void>
}) {
  const [withKey, setWithKey] = useState(false)
  /** Set after a correct password if the account needs a second factor. */
  const [second, setSecond] = useState<{ server: string; signin_token: string } | null>(null)
  const [first] = useState(props.server ?? draft('server') ?? defaultServer)
  const [server, setServer] = useState(first)
  const pages = parseServerAddress(server)
  const { busy, late, problem, act } = useAction()

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const fields = new FormData(event.currentTarget)
    const field = (name: string) => String(fields.get(name) ?? '')
    saveDraft(field('server'), field('email'))
    void act('sign in', async () => {
      const server = await allowServer(field('server'))
      if (withKey) {
        await send('popup.signInByKey', { server, key: field('key') })
        return props.onSignedIn(null)
      }
      const answer = await send('popup.signIn', { server, email: field('email'), password: field('password') })
      if ('signin_token' in answer) return setSecond({ server, signin_token: answer.signin_token })
      return props.onSignedIn(answer.tokenEnded ? null : text('sign_in.token_kept'))
    })
  }

  if (second) return <SecondStep {...second} onSignedIn={props.onSignedIn} onBack={() => setSecond(null)} />

  return (
    <main class="welcome">
      <h1>{text('app.name')}</h1>
      <p class="promise">{text('app.promise')}</p>
      <form class="boxed" onSubmit={submit} aria-busy={busy !== null}>
        {props.note && <Notice tone="warn">{props.note}</Notice>}
        {props.expired && (
          <Notice tone="warn">{text(props.expired === 'made' ? 'sign_in.expired' : 'sign_in.expired_pasted')}</Notice>
        )}
        {problem && <Notice tone="bad">{problem}</Notice>}
        {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
        <Field
          name="server"
          label={text('sign_in.server')}
          type="text"
          inputMode="url"
          value={first}
          onInput={setServer}
        />
        {withKey ? (
          <Field key="key" name="key" label={text('sign_in.key')} type="password" autocomplete="off" />
        ) : (
          <>
            <Field
              key="email"
              name="email"
              label={text('sign_in.email')}
              type="email"
              autocomplete="username"
              value={draft('email') ?? ''}
            />
            <Field
              key="password"
              name="password"
              label={text('sign_in.password')}
              type="password"
              autocomplete="current-password"
            />
          </>
        )}
        <button type="submit" class="main wide" aria-disabled={busy !== null}>
          {text(busy === null ? 'sign_in.submit' : 'sign_in.busy')}
        </button>
        <button type="button" class="quiet" onClick={() => setWithKey(!withKey)}>
          {text(withKey ? 'sign_in.use_password' : 'sign_in.use_key')}
        </button>
      </form>
      {!withKey && pages && (
        <p class="alternatives">
          <a href={`${pages}/`} target="_blank" rel="noreferrer">
            {text('sign_in.new')}
          </a>
          <a href={`${pages}/account/forgot-password`} target="_blank" rel="noreferrer">
            {text('sign_in.forgot')}
          </a>
        </p>
      )}
    </main>
  )
}

/** Asks for an authenticator code or a recovery code. */
function SecondStep(props: {
  server: string
  signin_token: string
  onSignedIn: (note: string | null) => Promise<void>
  onBack: () => void
}) {
  const { busy, late, problem, act } = useAction()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const code = String(new FormData(event.currentTarget).get('code') ?? '')
    const { server, signin_token } = props
    void act('sign in', async () => {
      const { tokenEnded } = await send('popup.secondStep', { server, signin_token, code })
      return props.onSignedIn(tokenEnded ? null : text('sign_in.token_kept'))
    })
  }
  return (
    <main class="welcome">
      <h1>{text('sign_in.second.title')}</h1>
      <form class="boxed" onSubmit={submit} aria-busy={busy !== null}>
        {problem && <Notice tone="bad">{problem}</Notice>}
        {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
        <p>{text('sign_in.second.hint')}</p>
        <Field name="code" label={text('sign_in.second.code')} type="text" autocomplete="one-time-code" focused />
        <button type="submit" class="main wide" aria-disabled={busy !== null}>
          {text(busy === null ? 'sign_in.submit' : 'sign_in.busy')}
        </button>
        <button type="button" class="quiet" onClick={props.onBack}>
          {text('sign_in.second.back')}
        </button>
      </form>
    </main>
  )
}

function Field(props: {
  name: string
  label: string
  type: string
  value?: string
  autocomplete?: string
  inputMode?: 'url'
  focused?: boolean
  onInput?: (value: string) => void
}) {
  return (
    <label>
      {props.label}
      <input
        name={props.name}
        type={props.type}
        defaultValue={props.value ?? ''}
        autocomplete={props.autocomplete ?? 'off'}
        {...(props.inputMode ? { inputMode: props.inputMode } : {})}
        onInput={(event) => props.onInput?.(event.currentTarget.value)}
        spellcheck={false}
        ref={props.focused ? focus : undefined}
        required
      />
    </label>
  )
}

const focus = (input: HTMLInputElement | null) => {
  input?.focus()
}

/** Requests permission for the server's host. Browsers allow this only in a user gesture. */
async function allowServer(typed: string): Promise<string> {
  const server = parseServerAddress(typed)
  if (!server) throw fault('bad_address')
  const allowed = await host().allow(server)
  if (!allowed) throw fault('permission')
  return server
}

function fault(code: string): MessageError {
  return new MessageError({ code, message: code, retry_after_ms: null, request_id: null })
}

/**
 * Keeps typed values except the password, since the permission prompt may close the popup. Signing out deletes them.
 */
function saveDraft(server: string, email: string): void {
  localStorage.setItem('draft.server', server)
  localStorage.setItem('draft.email', email)
}

function draft(name: 'server' | 'email'): string | null {
  return localStorage.getItem(`draft.${name}`)
}
