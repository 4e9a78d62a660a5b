import { useState } from 'preact/hooks'
import { Checkbox } from '../components/fields.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { KindChoices } from './alert-mails.tsx'
import { type PushState, readPushState, startPush, stopPush } from './push-device.ts'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

/** Notifications on this device, with a switch, and their kinds, on every device of the account. */
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
        <Checkbox
          label={text('push.device')}
          checked={state === 'on'}
          disabled={busy}
          onChange={(checked) => {
            void act(async () => setChanged(await (checked ? startPush() : stopPush())))
          }}
        />
      )}
      {state === 'on' && (
        <fieldset>
          <legend>{text('push.kinds')}</legend>
          <KindChoices of="push_kinds" />
        </fieldset>
      )}
    </section>
  )
}
