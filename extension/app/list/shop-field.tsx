import { useId } from 'preact/hooks'
import type { OAuthSlug } from '#shared/platforms.ts'
import { Pending } from '../components/pending.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { FieldError, wrong } from './field-error.tsx'
import { text } from './words.ts'

/** Selects one of several shops on a platform. */
export function ShopField(props: {
  platform: OAuthSlug
  value: string
  error?: string | null
  onChange: (uid: string) => void
}) {
  const shops = useRequest(props.platform, () => readShops(props.platform))
  const id = useId()
  const error = props.error ?? null
  if (shops.state !== 'ready') return <Pending of={shops} />
  return (
    <div class="field">
      <label for={id}>{text('choice.shop')}</label>
      <select
        id={id}
        value={props.value}
        {...wrong(id, error)}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        <option value="" disabled>
          {text('choice.first')}
        </option>
        {shops.value.map((shop) => (
          <option key={shop.uid} value={shop.uid}>
            {shop.name}
          </option>
        ))}
      </select>
      <FieldError id={id} error={error} />
    </div>
  )
}

async function readShops(platform: OAuthSlug): Promise<{ uid: string; name: string }[]> {
  const accounts = await call('listSellerAccounts', {})
  return accounts
    .filter((one) => one.platform === platform && one.status === 'connected')
    .map(({ uid, external_name }) => ({ uid, name: external_name }))
}
