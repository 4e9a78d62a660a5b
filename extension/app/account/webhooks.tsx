import { useState } from 'preact/hooks'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  testWebhook,
  updateWebhook,
  type WebhookEndpoint,
} from '#shared/contract/events.ts'
import { agoText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

const deliveriesShown = 10

/** The addresses that events are sent to, with their deliveries and a test. */
export function Webhooks() {
  const request = useRequest('webhooks', () => callAccount(listWebhooks, {}))
  const { busy, act, notices } = useAccountAction()
  const [url, setUrl] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const hooks = request.state === 'ready' ? request.value : []
  return (
    <section class="part" aria-labelledby="webhooks">
      <h2 id="webhooks">{text('hooks.title')}</h2>
      <p class="soft">{text('hooks.text')}</p>
      {notices}
      {request.state === 'failed' && <p class="bad">{request.message}</p>}
      {request.state === 'ready' && hooks.length === 0 && <p>{text('hooks.none')}</p>}
      <ul class="rows">
        {hooks.map((hook) => (
          <Webhook key={hook.uid} hook={hook} onChanged={request.again} />
        ))}
      </ul>
      <form
        class="inline"
        onSubmit={handleSubmit(() =>
          act(async () => {
            setSecret((await callAccount(createWebhook, { body: { url: url.trim() } })).secret)
            setUrl('')
            request.again()
          }),
        )}
      >
        <TextInput
          label={text('hooks.url')}
          type="url"
          required
          maxLength={2_000}
          autocomplete="off"
          value={url}
          onInput={setUrl}
        />
        <button type="submit" class="inline-go" aria-disabled={busy}>
          {text('hooks.add')}
        </button>
      </form>
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </section>
  )
}

function Webhook({ hook, onChanged }: { hook: WebhookEndpoint; onChanged: () => void }) {
  const { uid, url, enabled, disabled_reason } = hook
  const { act, notices } = useAccountAction()
  const [leaving, setLeaving] = useState(false)
  const [tests, setTests] = useState(0)
  const buttons = {
    test: async () => {
      await callAccount(testWebhook, { params: { uid } })
      setTests(tests + 1)
    },
    [enabled ? 'turn_off' : 'turn_on']: async () => {
      await callAccount(updateWebhook, { params: { uid }, body: { enabled: !enabled } })
      onChanged()
    },
    delete: async () => setLeaving(true),
  }
  return (
    <li>
      <div class="grow">
        <p class="whole">{url}</p>
        <p class={enabled ? 'good' : 'warn'}>
          {enabled
            ? text('hooks.on')
            : disabled_reason
              ? text('hooks.off_because', { reason: disabled_reason })
              : text('hooks.off')}
        </p>
        {notices}
        <p class="links">
          {(Object.keys(buttons) as ('test' | 'turn_on' | 'turn_off' | 'delete')[]).map((action) => (
            <button
              key={action}
              type="button"
              class="link"
              aria-label={`${text(`hooks.${action}`)}, ${url}`}
              onClick={() => act(buttons[action]!)}
            >
              {text(`hooks.${action}`)}
            </button>
          ))}
        </p>
        <Deliveries uid={uid} tests={tests} />
      </div>
      {leaving && (
        <ConfirmDialog
          title={text('hooks.delete_title')}
          words={text('hooks.delete_text', { url })}
          action={text('hooks.delete')}
          onCancel={() => setLeaving(false)}
          onAct={() =>
            void act(async () => {
              setLeaving(false)
              await callAccount(deleteWebhook, { params: { uid } })
              onChanged()
            })
          }
        />
      )}
    </li>
  )
}

function Deliveries({ uid, tests }: { uid: string; tests: number }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text('hooks.deliveries')}</summary>
      {open && <DeliveryRows key={tests} uid={uid} />}
    </details>
  )
}

function DeliveryRows({ uid }: { uid: string }) {
  const request = useRequest(uid, () =>
    callAccount(listDeliveries, { params: { uid }, query: { page_size: String(deliveriesShown) } }),
  )
  if (request.state === 'loading') return null
  if (request.state === 'failed') return <p class="bad">{request.message}</p>
  const { results } = request.value
  if (results.length === 0) return <p class="soft">{text('hooks.no_deliveries')}</p>
  return (
    <ul class="rows bare">
      {results.map(({ id, event_type, state, created_at, attempts, response_status, error }) => (
        <li key={id}>
          <div class="grow">
            <p>
              <code>{event_type}</code>{' '}
              <span class={state === 'failed' ? 'bad' : state === 'delivered' ? 'good' : 'soft'}>
                {text('hooks.delivery', {
                  state: text(`hooks.state.${state}`),
                  when: agoText(Date.parse(created_at)),
                })}
              </span>
            </p>
            <p class="soft">
              {[text('hooks.attempts', { n: attempts }), response_status && `HTTP ${response_status}`, error]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
