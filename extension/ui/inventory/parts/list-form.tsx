import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { text, textIfAny } from '#extension/i18n/text.ts'
import { MessageError, send } from '#extension/messaging/send.ts'
import { sendAgain } from '#extension/messaging/send-again.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { Notice } from '#extension/ui/components/notice.tsx'
import { moneyText } from '#extension/ui/format.ts'
import { useAction } from '#extension/ui/hooks/use-request.ts'
import { useSlow } from '#extension/ui/hooks/use-slow.ts'
import type { ListingResult } from '#shared/contract/listings.ts'
import { decimalFromMinor, minorFromDecimal } from '#shared/money.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { maxPriceMinor, priceOnPlatform } from '#shared/price-change.ts'
import {
  type Answers,
  answersOf,
  type ChoiceField,
  deciding,
  decidingOf,
  fieldsOf,
  missingOf,
  optionsOf,
  replacedOf,
} from '../choice-form.ts'
import { choiceText } from '../choice-text.ts'
import { AnyField, FieldError, wrong } from './choice-field.tsx'
import { failureAction } from './failure-action.ts'
import { PreflightNotes, usePreflight } from './preflight-notes.tsx'
import { ShopField } from './shop-field.tsx'
import { useChoices } from './use-choices.ts'

/** Marks the shop itself as a missing choice. */
const theShop = 'shop'

/** Marks the price as a missing choice. */
const thePrice = 'price'

/** Answers kept when the seller leaves the form, to restore later. */
export interface Draft {
  given: Answers
  shop: string
  /** The price that the seller typed; null: by the platform's rule. */
  typed: string | null
}

/** Lists one item on one platform. Prefills likely answers. */
export function ListForm(props: {
  row: InventoryRow
  platform: OAuthSlug
  server: string
  draft: Draft | undefined
  onDraft: (draft: Draft) => void
  onListed: (result: ListingResult) => void
  leave: { label: string; act: () => void }
}) {
  const { row, platform } = props
  const { name } = platformOf(platform)
  const [given, setGiven] = useState<Answers>(props.draft?.given ?? {})
  const [shop, setShop] = useState(props.draft?.shop ?? '')
  const [typed, setTyped] = useState(props.draft?.typed ?? null)
  const [unchosen, setUnchosen] = useState<readonly string[]>([])
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const ofShop = (uid: string) => (uid === '' ? {} : { seller_account_uid: uid })
  const load = async (answers: Answers, uid: string) => {
    const [choices, rules] = await Promise.all([
      send('choices.ofItem', { uid: row.uid, platform, chosen: { ...decidingOf(answers), ...ofShop(uid) } }),
      send('prices.rules', {}),
    ])
    return { choices, rules }
  }
  const { known, asking, problem: unasked, ask } = useChoices(() => load(given, shop))
  const { busy, late, problem, code, act } = useAction()
  const slow = useSlow(asking)
  useLayoutEffect(() => heading.current?.focus(), [])

  const choices = known?.choices ?? []
  const answers = answersOf(choices, given)
  const fields = fieldsOf(choices)
  const isOpen = useOpenAtFirst(fields, answers, unchosen)
  const rule = known?.rules[platform]
  const byRule = priceOnPlatform(row, rule)
  const listPrice = minorFromDecimal((typed ?? decimalFromMinor(byRule, row.currency)).trim(), row.currency)
  const isPriced = listPrice !== null && listPrice > 0 && listPrice <= maxPriceMinor
  const findings = usePreflight(
    known === null || asking || !isPriced
      ? null
      : {
          ...{ uid: row.uid, platform, options: optionsOf(choices, answers), ...ofShop(shop) },
          price: decimalFromMinor(listPrice, row.currency),
        },
  )
  const severalShops = shop !== '' || unasked?.code === 'seller_account_required'

  const give = (option: string, value: string) => {
    const next: Record<string, string> = { ...given, [option]: value }
    // Categories differ between sites.
    if (option === 'marketplace_id') delete next.category_id
    setGiven(next)
    props.onDraft({ given: next, shop, typed })
    setUnchosen(unchosen.filter((one) => one !== option))
    if (deciding.some((one) => one === option)) {
      ask(() => load({ ...decidingOf(answers), ...next }, shop))
    }
  }
  const chooseShop = (uid: string) => {
    setShop(uid)
    setUnchosen([])
    props.onDraft({ given, shop: uid, typed })
    ask(() => load(given, uid))
  }
  /** Shows an error beside each missing field and focuses the first. */
  const refuse = (missing: readonly string[]) => {
    setUnchosen(missing)
    requestAnimationFrame(() => {
      const first = form.current?.querySelector<HTMLElement>(
        'input[aria-invalid], select[aria-invalid], button[aria-invalid]',
      )
      first?.focus()
    })
  }
  const submit = () => {
    if (severalShops && shop === '') return refuse([theShop])
    if (asking || !known) return
    const missing = [...(isPriced ? [] : [thePrice]), ...missingOf(choices, answers)]
    if (missing.length > 0) return refuse(missing)
    if (findings.some(({ blocking }) => blocking)) return
    void act('list', async () => {
      const options = optionsOf(choices, answers)
      // Without a price, the server applies the rule itself.
      const price = typed === null || listPrice === null ? {} : { price: decimalFromMinor(listPrice, row.currency) }
      const listing = { uid: row.uid, platform, options, ...price, ...ofShop(shop) }
      const replaced = replacedOf(choices, answers)
      // Do not save policies of one shop as defaults when the seller has several.
      if (shop === '' && Object.keys(replaced).length > 0) await send('choices.keep', { platform, options: replaced })
      try {
        props.onListed(await sendAgain(() => send('inventory.list', listing)))
      } catch (error) {
        if (error instanceof MessageError) refuse(named(error, choices))
        throw error
      }
    })
  }
  const field = (one: ChoiceField) => (
    <AnyField
      key={one.option}
      field={one}
      value={answers[one.option] ?? ''}
      error={unchosen.includes(one.option) ? missingText(one) : null}
      platform={name}
      search={(words) =>
        send('choices.categories', {
          platform,
          words,
          chosen: { ...ofShop(shop), ...site(answers) },
        })
      }
      onLookAgain={() => ask(() => load(answers, shop))}
      onChange={(value) => give(one.option, value)}
    />
  )
  const price = moneyText(isPriced ? listPrice : byRule, row.currency)
  const ofItem = moneyText(row.price_minor, row.currency)
  return (
    <form
      ref={form}
      class="boxed"
      aria-busy={asking || busy !== null}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h3 ref={heading} tabIndex={-1}>
        {text('choice.title', { platform: name })}
      </h3>
      <p class="clamp">{text('choice.of', { title: row.title, price: ofItem })}</p>
      {problem && (
        <Notice tone="bad" link={failureAction(code, props.server)}>
          {problem}
        </Notice>
      )}
      {!problem && unchosen.length > 0 && <Notice tone="bad">{text('choice.problem', { n: unchosen.length })}</Notice>}
      {unasked && unasked.code !== 'seller_account_required' && (
        <Notice
          tone="bad"
          {...(failureAction(unasked.code, props.server)
            ? { link: failureAction(unasked.code, props.server) }
            : { action: { label: text('home.retry'), act: () => ask(() => load(answers, shop)) } })}
        >
          {unasked.message}
        </Notice>
      )}
      {severalShops && (
        <ShopField
          platform={platform}
          value={shop}
          error={unchosen.includes(theShop) ? text('choice.shop_missing') : null}
          onChange={chooseShop}
        />
      )}
      {known && (
        <PriceField
          label={text('choice.price', { platform: name, currency: row.currency })}
          value={typed ?? decimalFromMinor(byRule, row.currency)}
          error={unchosen.includes(thePrice) ? text('choice.price_missing') : null}
          note={
            typed !== null
              ? text('choice.price_typed', { price: ofItem })
              : rule
                ? text('choice.price_by_rule', { platform: name, price: ofItem })
                : null
          }
          onChange={(value) => {
            const next = value === decimalFromMinor(byRule, row.currency) ? null : value
            setTyped(next)
            setUnchosen(unchosen.filter((one) => one !== thePrice))
            props.onDraft({ given, shop, typed: next })
          }}
        />
      )}
      {fields.filter((one) => !one.ofShop).map(field)}
      {fields.some((one) => one.ofShop) && (
        <details open={isOpen}>
          <summary>
            {text('choice.of_shop')}
            <span class="soft block">{namesOf(fields, answers)}</span>
          </summary>
          <p class="soft">{text('choice.of_shop_hint')}</p>
          {fields.filter((one) => one.ofShop).map(field)}
        </details>
      )}
      <p role="status" class="soft">
        {asking && (known === null || slow) && text('choice.loading', { platform: name })}
        {late && text('loading.slow')}
      </p>
      <PreflightNotes findings={findings} />
      <p class="soft">{text(`choice.fee.${platform}`)}</p>
      <div class="buttons">
        <button type="button" onClick={props.leave.act}>
          {props.leave.label}
        </button>
        <button type="submit" class="main" aria-disabled={(!known && !severalShops) || asking || busy !== null}>
          {busy ? text('choice.busy') : text('choice.go', { price })}
        </button>
      </div>
    </form>
  )
}

function PriceField(props: {
  label: string
  value: string
  error: string | null
  note: string | null
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        inputMode="decimal"
        autocomplete="off"
        value={props.value}
        {...wrong(id, props.error)}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <FieldError id={id} error={props.error} />
      {props.note && <p class="soft">{props.note}</p>}
    </div>
  )
}

/** Opens the shop's choices if one is missing, until the seller closes them. */
function useOpenAtFirst(fields: ChoiceField[], answers: Answers, unchosen: readonly string[]): boolean {
  const opened = useRef(false)
  const lacking = (field: ChoiceField) => field.required && (answers[field.option] ?? '') === ''
  if (fields.some((field) => field.ofShop && (lacking(field) || unchosen.includes(field.option)))) opened.current = true
  return opened.current
}

const missingText = ({ kind, option }: ChoiceField) =>
  textIfAny(`choice.missing.${option}`) ??
  text(kind === 'text' ? 'choice.blank' : 'choice.missing', { choice: choiceText(option) })

/** Returns the form's options that a server error names. */
function named(error: MessageError, choices: readonly { option: string }[]): string[] {
  const options = error.fields.map((field) => field.replace(/^options\./, ''))
  return options.filter((option) => choices.some((choice) => choice.option === option))
}

const site = ({ marketplace_id }: Answers) => (marketplace_id ? { marketplace_id } : {})

/** Summarizes the shop's choices: "eBay US · Paid at once · USPS Ground". */
function namesOf(fields: ChoiceField[], answers: Answers): string {
  return fields
    .filter((field) => field.ofShop)
    .map((field) => field.values.find(({ id }) => id === answers[field.option])?.name)
    .filter(Boolean)
    .join(' · ')
}
