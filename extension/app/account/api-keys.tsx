import { useState } from 'preact/hooks'
import {
  type ApiKey,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  rotateApiKey,
} from '#shared/contract/account/api-keys.ts'
import { scopes } from '#shared/contract/declaring/route.ts'
import { agoText, whenText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { Select, TextInput } from '../components/fields.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

/** The account's API keys: create, replace and delete. */
export function ApiKeys() {
  const request = useRequest('keys', () => callAccount(listApiKeys, {}))
  const { busy, act, notices } = useAccountAction()
  const [name, setName] = useState('')
  const [access, setAccess] = useState<'all' | 'read'>('all')
  const [secret, setSecret] = useState<string | null>(null)
  const [asked, setAsked] = useState<{ action: 'delete' | 'rotate'; key: ApiKey } | null>(null)
  const keys = request.state === 'ready' ? request.value : []
  const confirm = ({ action, key: { id: pk } }: NonNullable<typeof asked>) =>
    act(async () => {
      setAsked(null)
      if (action === 'delete') await callAccount(deleteApiKey, { params: { pk } })
      else setSecret((await callAccount(rotateApiKey, { params: { pk } })).key)
      request.again()
    })
  return (
    <section class="part" aria-labelledby="keys">
      <h2 id="keys">{text('keys.title')}</h2>
      <p class="soft">
        {text('keys.text')} <a href="/docs">{text('keys.docs')}</a>
      </p>
      {notices}
      {request.state === 'failed' && <p class="bad">{request.message}</p>}
      {request.state === 'ready' && keys.length === 0 && <p>{text('keys.none')}</p>}
      <ul class="rows">
        {keys.map((key) => (
          <li key={key.id}>
            <div class="grow">
              <p class="cut">
                <strong>{key.name}</strong>{' '}
                <code>
                  {key.prefix}…{key.last4}
                </code>
              </p>
              <p class="soft">
                {[
                  text(key.scopes.every((scope) => scope.endsWith(':read')) ? 'keys.scope.read' : 'keys.scope.all'),
                  text('keys.created', { when: whenText(Date.parse(key.created_at)) }),
                  key.last_used_at
                    ? text('keys.used', { when: agoText(Date.parse(key.last_used_at)) })
                    : text('keys.never'),
                ].join(' · ')}
              </p>
              <p class="links">
                {(['rotate', 'delete'] as const).map((action) => (
                  <button
                    key={action}
                    type="button"
                    class="link"
                    aria-label={`${text(`keys.${action}`)}, ${key.name}`}
                    onClick={() => setAsked({ action, key })}
                  >
                    {text(`keys.${action}`)}
                  </button>
                ))}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <form
        class="inline"
        onSubmit={handleSubmit(() =>
          act(async () => {
            const wanted = scopes.filter((scope) => access === 'all' || scope.endsWith(':read'))
            setSecret((await callAccount(createApiKey, { body: { name: name.trim(), scopes: wanted } })).key)
            setName('')
            request.again()
          }),
        )}
      >
        <TextInput
          label={text('keys.name')}
          required
          maxLength={100}
          autocomplete="off"
          value={name}
          onInput={setName}
        />
        <Select
          label={text('keys.scope')}
          value={access}
          options={(['all', 'read'] as const).map((one) => [one, text(`keys.scope.${one}`)])}
          onChange={setAccess}
        />
        <button type="submit" class="inline-go" aria-disabled={busy}>
          {text('keys.create')}
        </button>
      </form>
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
      {asked && (
        <ConfirmDialog
          title={text(`keys.${asked.action}_title`, { name: asked.key.name })}
          words={text(`keys.${asked.action}_text`)}
          action={text(`keys.${asked.action}`)}
          onCancel={() => setAsked(null)}
          onAct={() => void confirm(asked)}
        />
      )}
    </section>
  )
}
