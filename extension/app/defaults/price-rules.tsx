import { useId, useState } from 'preact/hooks'
import { type PlatformEntry, type PlatformSlug, platforms } from '#shared/platforms.ts'
import { priceOnPlatform } from '#shared/price-change.ts'
import type { PriceRules as Rules } from '#shared/price-schemas.ts'
import { proposedCurrency } from '../common/account-currency.ts'
import { moneyText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { sellerSettings } from '../common/own-units.ts'
import { TextInput } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { Pending } from '../components/pending.tsx'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { FieldError, wrong } from '../list/field-error.tsx'
import { type RuleInput, readRule, ruleInputOf } from './price-rule-form.ts'
import { RoundingField } from './rounding-field.tsx'
import { text } from './words.ts'

/** The price of the examples, in minor units. */
const price_minor = 5_000

interface Shops {
  /** Platforms with a connected shop: the others are folded until they have a rule. */
  shops: readonly PlatformSlug[]
}

/** How the price on each platform follows from the item's: by percent, rounded. */
export function PriceRules({ shops }: Shops) {
  const request = useRequest('prices', async () => {
    const [settings, currency] = await Promise.all([sellerSettings(), proposedCurrency()])
    return { rules: settings.price_rules, currency }
  })
  return (
    <section class="part" aria-labelledby="price-rules">
      <h2 id="price-rules">{text('rules.title')}</h2>
      <p class="soft">{text('rules.text')}</p>
      <Pending of={request} />
      {request.state === 'ready' && <RulesForm {...request.value} shops={shops} />}
    </section>
  )
}

function RulesForm({ rules, currency, shops }: { rules: Rules; currency: string } & Shops) {
  const [inputs, setInputs] = useState(
    () => new Map(platforms.map(({ slug }): [PlatformSlug, RuleInput] => [slug, ruleInputOf(rules, slug)])),
  )
  /** Null before the first change. */
  const [saved, setSaved] = useState<boolean | null>(null)
  const { busy, problem, act } = useAction()
  const read = [...inputs].map(([slug, input]) => [slug, readRule(input)] as const)
  const invalid = read.some(([, rule]) => rule === undefined)
  const save = () =>
    act('save', async () => {
      const price_rules = Object.fromEntries(read.filter(([, rule]) => rule)) as Rules
      await send('settings.keep', { change: { price_rules } })
      setSaved(true)
    })
  const isUsed = ({ slug }: PlatformEntry) => shops.length === 0 || shops.includes(slug) || rules[slug] !== undefined
  const rowsOf = (shown: readonly PlatformEntry[]) => (
    <ul class="rows rules">
      {shown.map(({ slug, name }) => (
        <RuleRow
          key={slug}
          platform={slug}
          name={name}
          input={inputs.get(slug)!}
          currency={currency}
          onChange={(input) => {
            setInputs(new Map(inputs).set(slug, input))
            setSaved(false)
          }}
        />
      ))}
    </ul>
  )
  return (
    <form
      aria-busy={busy !== null}
      onSubmit={handleSubmit(() => {
        if (!invalid && saved === false) void save()
      })}
    >
      {problem && <Notice tone="bad">{problem}</Notice>}
      {rowsOf(platforms.filter(isUsed))}
      {!platforms.every(isUsed) && (
        <details>
          <summary>{text('rules.others')}</summary>
          {rowsOf(platforms.filter((one) => !isUsed(one)))}
        </details>
      )}
      <div class="buttons">
        <p role="status" class="grow good">
          {saved && text('usual.saved')}
        </p>
        {saved !== null && (
          <button type="submit" class="main" aria-disabled={saved || invalid || busy !== null}>
            {text(busy ? 'saving' : 'rules.save')}
          </button>
        )}
      </div>
    </form>
  )
}

function RuleRow(props: {
  platform: PlatformSlug
  name: string
  input: RuleInput
  currency: string
  onChange: (input: RuleInput) => void
}) {
  const { platform, name, input, currency } = props
  const id = useId()
  const rule = readRule(input)
  const error = rule === undefined ? text('rules.invalid') : null
  return (
    <li>
      <p class="named">
        <PlatformIcon platform={platform} /> <strong>{name}</strong>
      </p>
      <div>
        <TextInput
          label={text('rules.percent')}
          id={id}
          inputMode="text"
          autocomplete="off"
          placeholder="0"
          aria-label={`${text('rules.percent')}, ${name}`}
          value={input.percent}
          {...wrong(id, error)}
          onInput={(value) => props.onChange({ ...input, percent: value })}
        />
        <FieldError id={id} error={error} />
      </div>
      <RoundingField
        value={input.rounding}
        label={`${text('price.rounding')}, ${name}`}
        onChange={(rounding) => props.onChange({ ...input, rounding })}
      />
      <p class="soft example">
        {rule === undefined
          ? ''
          : text('price.then', {
              from: moneyText(price_minor, currency),
              to: moneyText(priceOnPlatform({ price_minor, currency }, rule), currency),
            })}
      </p>
    </li>
  )
}
