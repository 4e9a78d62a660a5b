import { useState } from 'preact/hooks'
import { HapaxError } from '#shared/client/error.ts'
import {
  beginTotp,
  confirmTotp,
  getSecondFactor,
  removeTotp,
  renewRecoveryCodes,
} from '#shared/contract/account/second-factor.ts'
import { whenText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { ConfirmDialog, DialogButtons } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { codePath } from '../shelf/code-path.ts'
import { callAccount } from './call-account.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

type Setup = { secret: string; otpauth_uri: string }

/** The authenticator app and its recovery codes: set up, remove, renew. */
export function SecondFactor() {
  const request = useRequest('second-factor', () => callAccount(getSecondFactor, {}))
  const { busy, act, notices } = useAccountAction()
  const [setup, setSetup] = useState<Setup | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [removing, setRemoving] = useState(false)
  const factor = request.state === 'ready' ? request.value : null
  return (
    <section class="part" aria-labelledby="second-factor">
      <h2 id="second-factor">{text('app.title')}</h2>
      {notices}
      {request.state === 'failed' && <p class="bad">{request.message}</p>}
      {factor && !factor.totp_confirmed_at && !setup && (
        <>
          <p class="soft">{text('app.text')}</p>
          <button
            type="button"
            aria-disabled={busy}
            onClick={() => act(async () => setSetup(await callAccount(beginTotp, {})))}
          >
            {text('app.set_up')}
          </button>
        </>
      )}
      {setup && (
        <SetUp
          {...setup}
          onCancel={() => setSetup(null)}
          onDone={(made) => {
            setSetup(null)
            setCodes(made)
            request.again()
          }}
        />
      )}
      {factor?.totp_confirmed_at && (
        <>
          <p>
            <span class="good">{text('app.on', { when: whenText(Date.parse(factor.totp_confirmed_at)) })}</span>{' '}
            {text('app.codes_left', { n: factor.recovery_codes_left })}
          </p>
          <p class="links">
            <button
              type="button"
              class="link"
              onClick={() =>
                act(async () => {
                  setCodes((await callAccount(renewRecoveryCodes, {})).recovery_codes)
                  request.again()
                })
              }
            >
              {text('app.renew')}
            </button>
            <button type="button" class="link" onClick={() => setRemoving(true)}>
              {text('app.remove')}
            </button>
          </p>
        </>
      )}
      {codes && (
        <SecretDialog
          title={text('app.codes_title')}
          words={text('app.codes_text')}
          secret={codes.join('\n')}
          onClose={() => setCodes(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={text('app.remove_title')}
          words={text('app.remove_text')}
          action={text('app.remove')}
          onCancel={() => setRemoving(false)}
          onAct={() =>
            void act(async () => {
              setRemoving(false)
              await callAccount(removeTotp, {})
              request.again()
            })
          }
        />
      )}
    </section>
  )
}

/** Shows the secret to scan, and switches the app on with one of its codes. */
function SetUp(props: Setup & { onCancel: () => void; onDone: (codes: string[]) => void }) {
  const { busy, act, notices } = useAccountAction()
  const [code, setCode] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      class="narrow-form"
      onSubmit={handleSubmit(() => {
        setWrong(false)
        void act(async () => {
          try {
            props.onDone((await callAccount(confirmTotp, { body: { code } })).recovery_codes)
          } catch (error) {
            if (!(error instanceof HapaxError) || error.code !== 'code_invalid') throw error
            setWrong(true)
          }
        })
      })}
    >
      <p>{text('app.scan')}</p>
      <QrCode content={props.otpauth_uri} label={text('app.qr')} />
      <p>
        {text('app.type')} <code>{props.secret.match(/.{4}/g)?.join(' ')}</code>
      </p>
      {notices}
      {isWrong && (
        <p class="bad" role="alert" id="app-code-wrong">
          {text('app.wrong')}
        </p>
      )}
      <TextInput
        label={text('app.code')}
        required
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={20}
        value={code}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'app-code-wrong' : undefined}
        onInput={setCode}
      />
      <DialogButtons onCancel={props.onCancel} action={text('app.switch_on')} isDisabled={busy} />
    </form>
  )
}

/** A QR code, dark on light in both color schemes, as cameras expect. */
function QrCode({ content, label }: { content: string; label: string }) {
  const { path, modules } = codePath(content)
  return (
    <svg class="qr" viewBox={`0 0 ${modules} ${modules}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
