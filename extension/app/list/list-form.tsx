import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { ListingResult } from '#shared/contract/selling/listings.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { amountText } from '../common/amount.ts'
import { failureAction } from '../common/failure-action.ts'
import { moneyText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { DialogButtons } from '../components/dialog.tsx'
import { Notice } from '../components/notice.tsx'
import { useSlow } from '../hooks/use-slow.ts'
import { useHost } from '../host.ts'
import { AnyField } from './choice-field.tsx'
import type { Answers, ChoiceField } from './choice-form.ts'
import { choiceText, etsyFeeText } from './choice-text.ts'
import { FieldError, wrong } from './field-error.tsx'
import { PreflightNotes } from './preflight-notes.tsx'
import { ShopField } from './shop-field.tsx'
import { type Draft, thePrice, theShop, useListForm } from './use-list-form.ts'
import { text, textIfAny } from './words.ts'

/** Lists one item on one platform. Prefills likely answers. */
export function ListForm(props: {
  row: InventoryRow
  platform: OAuthSlug
  draft: Draft | undefined
  onDraft: (draft: Draft) => void
  onListed: (result: ListingResult) => void
  leave: { label: string; act: () => void }
}) {
  const { row, platform } = props
  const { server } = useHost()
  const { name } = platformOf(platform)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const listing = useListForm(props)
  const { form, fields, answers, unchosen, shop, severalShops, price, findings } = listing
  const { known, asking, unasked, busy, late, problem, code } = listing
  const slow = useSlow(asking)
  const isOpen = useOpenAtFirst(fields, answers, unchosen)
  const field = (one: ChoiceField) => (
    <AnyField
      key={one.option}
      field={one}
      value={answers[one.option] ?? ''}
      error={unchosen.includes(one.option) ? missingText(one) : null}
      platform={name}
      search={listing.searchCategories}
      onLookAgain={listing.lookAgain}
      onChange={(value) => listing.give(one.option, value)}
    />
  )
  const ofItem = moneyText(row.price_minor, row.currency)
  return (
    <form
      ref={form}
      class="boxed"
      aria-busy={asking || busy !== null}
      noValidate
      onSubmit={handleSubmit(() => listing.submit())}
    >
      <h3 ref={heading} tabIndex={-1}>
        {text('choice.title', { platform: name })}
      </h3>
      <p class="clamp">{text('choice.of', { title: row.title, price: ofItem })}</p>
      {problem && (
        <Notice tone="bad" link={failureAction(code, server)}>
          {problem}
        </Notice>
      )}
      {!problem && unchosen.length > 0 && <Notice tone="bad">{text('choice.problem', { n: unchosen.length })}</Notice>}
      {unasked && unasked.code !== 'seller_account_required' && (
        <UnaskedNotice unasked={unasked} onRetry={listing.lookAgain} />
      )}
      {severalShops && (
        <ShopField
          platform={platform}
          value={shop}
          error={unchosen.includes(theShop) ? text('choice.shop_missing') : null}
          onChange={listing.chooseShop}
        />
      )}
      {known && (
        <PriceField
          label={text('choice.price', { platform: name, currency: row.currency })}
          value={price.text}
          error={
            unchosen.includes(thePrice)
              ? text('choice.price_missing', { example: amountText(1_250, row.currency) })
              : null
          }
          note={
            price.isTyped
              ? text('choice.price_typed', { price: ofItem })
              : price.hasRule
                ? text('choice.price_by_rule', { platform: name, price: ofItem })
                : null
          }
          onChange={listing.typePrice}
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
      <p class="soft">
        {platform === 'etsy' ? text('choice.fee.etsy', { fee: etsyFeeText() }) : text('choice.fee.ebay')}
      </p>
      <DialogButtons
        cancel={props.leave.label}
        onCancel={props.leave.act}
        action={busy ? text('choice.busy') : text('choice.go', { price: moneyText(price.minor, row.currency) })}
        isDisabled={listing.isLacking || busy !== null}
      />
    </form>
  )
}

/** Says why the choices could not be read, with the way to mend it or to try again. */
function UnaskedNotice(props: { unasked: { code: string | null; message: string }; onRetry: () => void }) {
  const { server } = useHost()
  const link = failureAction(props.unasked.code, server)
  return (
    <Notice tone="bad" {...(link ? { link } : { action: { label: text('retry'), act: props.onRetry } })}>
      {props.unasked.message}
    </Notice>
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

/** Summarizes the shop's choices: "eBay US · Paid at once · USPS Ground". */
function namesOf(fields: ChoiceField[], answers: Answers): string {
  return fields
    .filter((field) => field.ofShop)
    .map((field) => field.values.find(({ id }) => id === answers[field.option])?.name)
    .filter(Boolean)
    .join(' · ')
}
