import { useState } from 'preact/hooks'
import { accountText as text } from '#extension/i18n/account-text.ts'
import { useRequest } from '#extension/ui/hooks/use-request.ts'
import { getSettings, putSettings } from '#shared/contract/inventory.ts'
import { pushKinds } from '#shared/contract/orders.ts'
import { callAccount } from './call.ts'
import { type PushState, readPushState, startPush, stopPush } from './push-device.ts'
import { useAccountAction } from './use-account-action.tsx'

/** Notifications on this device, with a switch, and their kinds. Each change is saved at once. */
export function PushNotices() {
  const request = useRequest('push', readPushState)
  const [changed, setChanged] = useState<PushState | null>(null)
  const { busy, act, notices } = useAccountAction()
  const state = changed ?? (request.state === 'ready' ? request.value : null)
  const isAble = state === 'on' || state === 'off'
  return (
    <section class="part" aria-labelledby="push">
      <h2 id="push">{text('push.title')}</h2>
      {notices}
      {request.state === 'failed' && <p class="bad">{request.message}</p>}
      {state === 'unsupported' && <p class="soft">{text('push.unsupported')}</p>}
      {state === 'blocked' && <p class="soft">{text('push.blocked')}</p>}
      {isAble && (
        <label class="check">
          <input
            type="checkbox"
            checked={state === 'on'}
            disabled={busy}
            onChange={(event) => {
              const { checked } = event.currentTarget
              void act(async () => setChanged(await (checked ? startPush() : stopPush())))
            }}
          />
          {text('push.device')}
        </label>
      )}
      {state === 'on' && <Kinds />}
    </section>
  )
}

/** The kinds of notifications, on every device of the account. */
function Kinds() {
  const request = useRequest('settings', () => callAccount(getSettings, {}))
  const { busy, act, notices } = useAccountAction()
  if (request.state === 'loading') return null
  if (request.state === 'failed') return <p class="bad">{request.message}</p>
  const settings = request.value
  return (
    <fieldset>
      <legend>{text('push.kinds')}</legend>
      {notices}
      {pushKinds.map((kind) => (
        <label key={kind} class="check">
          <input
            type="checkbox"
            checked={settings.push_kinds.includes(kind)}
            disabled={busy}
            onChange={(event) => {
              const kinds = event.currentTarget.checked
                ? [...settings.push_kinds, kind]
                : settings.push_kinds.filter((one) => one !== kind)
              void act(async () => {
                // Read again: the alerts by mail are saved with the same request.
                const now = await callAccount(getSettings, {})
                await callAccount(putSettings, { body: { ...now, push_kinds: kinds } })
                request.again()
              })
            }}
          />
          {text(kind === 'sale' ? 'push.sale' : `mails.${kind}`)}
        </label>
      ))}
    </fieldset>
  )
}
