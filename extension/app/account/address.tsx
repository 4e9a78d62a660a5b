import { useState } from 'preact/hooks'
import { getAddress, type Address as PostalAddress, putAddress } from '#shared/contract/account/billing.ts'
import { countries } from '#shared/countries.ts'
import { Select } from '../components/fields.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { TabFinished } from './tab-finished.tsx'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

const fields = [
  { name: 'full_name', autocomplete: 'name', max: 150, required: true },
  { name: 'line1', autocomplete: 'address-line1', max: 200, required: true },
  { name: 'line2', autocomplete: 'address-line2', max: 200, required: false },
  { name: 'city', autocomplete: 'address-level2', max: 100, required: true },
  { name: 'region', autocomplete: 'address-level1', max: 100, required: false },
  { name: 'postal_code', autocomplete: 'postal-code', max: 20, required: true },
  { name: 'phone', autocomplete: 'tel', max: 30, required: false },
] as const

const namesOfRegions = new Intl.DisplayNames('en', { type: 'region' })
const namedCountries = countries
  .map((code) => [code, namesOfRegions.of(code) ?? code] as const)
  .sort(([, one], [, other]) => one.localeCompare(other, 'en'))

/** The address that listing requires. `isErrand`: a dialog that needs it led here. */
export function Address({ isErrand = false }: { isErrand?: boolean }) {
  const request = useRequest('address', () => callAccount(getAddress, {}))
  return (
    <section class="part" aria-labelledby="address">
      <h2 id="address">{text('address.title')}</h2>
      <p class="soft">{text('address.text')}</p>
      {request.state === 'failed' && <p class="bad">{request.message}</p>}
      {request.state === 'ready' && <AddressForm kept={request.value} isErrand={isErrand} />}
    </section>
  )
}

function AddressForm({ kept, isErrand }: { kept: PostalAddress | null; isErrand: boolean }) {
  const [country, setCountry] = useState(kept?.country ?? 'US')
  const [saved, setSaved] = useState(false)
  const [shown, setShown] = useState(kept)
  const { busy, act, notices } = useAccountAction()
  const form = (
    <form
      class="narrow-form"
      onInput={() => setSaved(false)}
      onSubmit={(event) => {
        event.preventDefault()
        const given = Object.fromEntries(new FormData(event.currentTarget)) as unknown as PostalAddress
        void act(async () => {
          await callAccount(putAddress, { body: given })
          setShown(given)
          setSaved(true)
        })
      }}
    >
      {notices}
      {fields.map(({ name, autocomplete, max, required }) => (
        <label key={name}>
          {text(`address.${name}`)}
          {!required && ` ${text('address.optional')}`}
          <input
            name={name}
            autocomplete={autocomplete}
            required={required}
            // A blank alone is no value.
            pattern={required ? '.*\\S.*' : undefined}
            maxLength={max}
            defaultValue={kept?.[name] ?? ''}
          />
        </label>
      ))}
      <Select
        label={text('address.country')}
        name="country"
        autocomplete="country"
        value={country}
        options={namedCountries}
        onChange={setCountry}
      />
      <button type="submit" class={saved ? undefined : 'main'} aria-disabled={busy}>
        {text('address.save')}
      </button>
      <p role="status" class="good">
        {saved && text('address.saved')}
      </p>
      {saved && isErrand && <TabFinished />}
    </form>
  )
  if (!kept) return form
  return (
    <details open={isErrand || undefined}>
      <summary>
        {fields
          .map(({ name }) => shown?.[name])
          .filter(Boolean)
          .join(', ')}
      </summary>
      {form}
    </details>
  )
}
