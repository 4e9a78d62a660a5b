import { useEffect, useState } from 'preact/hooks'
import { appPath } from '#shared/app-places.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { platforms as catalogue, type OAuthSlug, type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { failureAction } from '../common/failure-action.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { call, send, useHost } from '../host.ts'
import { SelectField } from '../list/choice-field.tsx'
import { type Answers, type ChoiceField, fieldsOf } from '../list/choice-form.ts'
import { ShopField } from '../list/shop-field.tsx'
import { useChoices } from '../list/use-choices.ts'
import { PriceRules } from './price-rules.tsx'
import { TextsField } from './texts-field.tsx'
import { UnitsField } from './units-field.tsx'
import { text } from './words.ts'

/** Listing defaults of each platform. A single listing can override them. */
export function DefaultsPage(props: {
  /** Platforms with a connected shop. */
  shops: readonly PlatformSlug[]
}) {
  const { server } = useHost()
  const [lacking, setLacking] = useState<Partial<Record<OAuthSlug, AddressProblem>>>({})
  const lack = Object.values(lacking).filter(Boolean)
  return (
    <main class="page item cards">
      <div class="part">
        <h1 tabIndex={-1}>{text('usual.title')}</h1>
        <p class="soft">{text('usual.text')}</p>
        {lack[0] && (
          <Notice
            tone="bad"
            link={failureAction('address_required', server)}
            action={{ label: text('retry'), act: () => lack.forEach(({ retry }) => void retry()) }}
          >
            {lack[0].message}
          </Notice>
        )}
      </div>
      <div class="columns">
        {catalogue.flatMap(({ slug, connection }) =>
          connection === 'oauth'
            ? [
                <OfPlatform
                  key={slug}
                  platform={slug as OAuthSlug}
                  onLacking={(problem) => setLacking((before) => ({ ...before, [slug]: problem }))}
                />,
              ]
            : [],
        )}
      </div>
      <PriceRules shops={props.shops} />
      <UnitsField />
      <TextsField />
    </main>
  )
}

/** The address that the seller has not given yet. The page says so once for all platforms. */
interface AddressProblem {
  message: string
  retry: () => void
}

function OfPlatform(props: { platform: OAuthSlug; onLacking: (problem: AddressProblem | undefined) => void }) {
  const { platform, onLacking } = props
  const { server } = useHost()
  const { name } = platformOf(platform)
  const [given, setGiven] = useState<Answers>({})
  const [shop, setShop] = useState('')
  const [saved, setSaved] = useState(false)
  const { busy, problem, act } = useAction()
  const load = async (uid: string, site?: string) => {
    const params = { slug: platform }
    const query = { ...(uid ? { seller_account_uid: uid } : {}), ...(site ? { marketplace_id: site } : {}) }
    const [{ choices }, kept] = await Promise.all([
      call('shopChoices', { params, query }),
      call('getListingDefaults', { params }),
    ])
    return { choices, kept }
  }
  const { known, asking, problem: unasked, ask } = useChoices(() => load(shop))
  const fields = known ? fieldsOf(known.choices) : []
  const chosenOf = ({ option }: ChoiceField) => given[option] ?? keptOf(known?.kept ?? {}, option)
  const isGone = (field: ChoiceField) => {
    const value = chosenOf(field)
    return value !== '' && field.values.every(({ id }) => id !== value)
  }
  const give = (field: ChoiceField, value: string) => {
    setGiven({ ...given, [field.option]: value })
    setSaved(false)
    if (field.option === 'marketplace_id') ask(() => load(shop, value || undefined))
  }
  const save = () =>
    act('save', async () => {
      const options = Object.fromEntries(fields.map((field) => [field.option, chosenOf(field) || null]))
      await send('choices.keep', { platform, options })
      setGiven({})
      setSaved(true)
      ask(() => load(shop))
    })
  const none = unasked?.code === 'connection_required'
  const lacksAddress = unasked?.code === 'address_required'
  useEffect(() => {
    onLacking(lacksAddress ? { message: unasked.message, retry: () => ask(() => load(shop)) } : undefined)
  }, [lacksAddress, shop])
  const several = shop !== '' || unasked?.code === 'seller_account_required'
  return (
    <section class="part usual" aria-labelledby={`usual-${platform}`}>
      <h2 id={`usual-${platform}`}>{name}</h2>
      {asking && !known && <Loading />}
      {none && (
        <p class="soft">
          {text('usual.connect')}{' '}
          <a href={server + appPath('shops')} target="_blank" rel="noreferrer">
            {text('shop.connect')}
          </a>
        </p>
      )}
      {lacksAddress && <p class="soft">{text('usual.after_address')}</p>}
      {unasked && !none && !lacksAddress && unasked.code !== 'seller_account_required' && (
        <Notice
          tone="bad"
          link={failureAction(unasked.code, server)}
          action={{ label: text('retry'), act: () => ask(() => load(shop)) }}
        >
          {unasked.message}
        </Notice>
      )}
      {several && (
        <ShopField
          platform={platform}
          value={shop}
          onChange={(uid) => {
            setShop(uid)
            ask(() => load(uid))
          }}
        />
      )}
      {known && (
        <form
          aria-busy={asking || busy !== null}
          onSubmit={handleSubmit(() => {
            if (!asking && !saved) void save()
          })}
        >
          {problem && <Notice tone="bad">{problem}</Notice>}
          {fields.map((field) => (
            <SelectField
              key={field.option}
              field={{ ...field, required: false }}
              value={chosenOf(field)}
              error={isGone(field) ? text('usual.gone_text', { platform: name }) : null}
              first={firstOf(field, name)}
              onChange={(value) => give(field, value)}
            >
              {isGone(field) && <option value={chosenOf(field)}>{text('usual.gone')}</option>}
            </SelectField>
          ))}
          <div class="buttons">
            <p role="status" class="grow good">
              {saved && text('usual.saved')}
            </p>
            {(saved || Object.keys(given).length > 0) && (
              <button type="submit" class="main" aria-disabled={saved || asking || busy !== null}>
                {text(busy ? 'saving' : 'save')}
              </button>
            )}
          </div>
        </form>
      )}
    </section>
  )
}

function keptOf(kept: ListingOptions, option: string): string {
  const value: unknown = Reflect.get(kept, option)
  return typeof value === 'string' ? value : ''
}

/** Returns the label of the empty option. */
function firstOf({ values, required }: ChoiceField, platform: string): string {
  const only = required && values.length === 1 ? values[0] : undefined
  const taken = values.find(({ suggested }) => suggested) ?? only
  return taken ? text('usual.suggested', { platform, name: taken.name }) : text('usual.ask')
}
