import { useId, useRef, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { send } from '#extension/messaging/send.ts'
import { sendAgain } from '#extension/messaging/send-again.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { amountText } from '#extension/ui/amount.ts'
import { Dialog } from '#extension/ui/components/dialog.tsx'
import { Notice } from '#extension/ui/components/notice.tsx'
import { moneyText } from '#extension/ui/format.ts'
import { useAction } from '#extension/ui/hooks/use-request.ts'
import type { BulkJob } from '#shared/contract/listings.ts'
import { platformOf } from '#shared/platforms.ts'
import type { PriceChange } from '#shared/price-schemas.ts'
import { type PriceInput, type PricePlan, planPrice, readPriceChange } from '../plan-price.ts'
import { currenciesOf } from '../sum-sales.ts'
import { FieldError, wrong } from './choice-field.tsx'
import { JobProgress } from './job-progress.tsx'
import { RoundingField } from './rounding-field.tsx'

/** Most items in the preview. The rest are counted. */
const maxShown = 50

/** Changes the prices of the selected items. Shows each price before and after. */
export function PriceDialog(props: { rows: readonly InventoryRow[]; onClose: () => void }) {
  // Keep the prices that the dialog showed, even if the table changes behind it.
  const [rows] = useState(props.rows)
  const [input, setInput] = useState<PriceInput>({ by: 'percent', value: '', rounding: 'none' })
  const [job, setJob] = useState<BulkJob | null>(null)
  const key = useRef(crypto.randomUUID())
  const { busy, problem, act } = useAction()
  const currencies = currenciesOf(rows)
  const [wanted, setWanted] = useState<string | null>(null)
  const currency = wanted ?? currencies[0] ?? 'USD'
  const change = readPriceChange(input, currency)
  const id = useId()
  // A sign alone is the begin of a number.
  const isUnread = change === null && !/^[+\-−]?$/.test(input.value.trim())
  const example = amountText(250, currency)
  const unread = !isUnread
    ? null
    : input.by === 'percent'
      ? text('rules.invalid')
      : text('form.problem.amount', { example })
  const plan: PricePlan | null = change && planPrice(rows, change)
  const count = plan?.changes.length ?? 0
  const give = (next: Partial<PriceInput>) => {
    // Another change is another request.
    key.current = crypto.randomUUID()
    setInput({ ...input, ...next })
  }
  const go = (given: PriceChange, uids: string[]) =>
    act('go', async () => {
      setJob(await sendAgain(() => send('inventory.bulkPrice', { uids, change: given, key: key.current })))
    })
  return (
    <Dialog title={text('price.title', { n: rows.length })} onClose={props.onClose}>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {job ? (
        <JobProgress job={job} done={(n) => text('price.done', { n })} onClose={props.onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (change && plan && count > 0)
              void go(
                change,
                plan.changes.map(({ row }) => row.uid),
              )
          }}
        >
          <label>
            {text('price.by')}
            <select value={input.by} onChange={(event) => give({ by: event.currentTarget.value as PriceInput['by'] })}>
              <option value="percent">{text('price.by.percent')}</option>
              <option value="amount">{text('price.by.amount', { currency })}</option>
              <option value="price">{text('price.by.price', { currency })}</option>
            </select>
          </label>
          {input.by !== 'percent' && currencies.length > 1 && (
            <label>
              {text('price.currency')}
              <select
                value={currency}
                onChange={(event) => {
                  setWanted(event.currentTarget.value)
                  give({})
                }}
              >
                {currencies.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
          )}
          <label>
            {input.by === 'amount' ? text('price.value.amount', { example }) : text(`price.value.${input.by}`)}
            <input
              id={id}
              autocomplete="off"
              value={input.value}
              {...wrong(id, unread)}
              onInput={(event) => give({ value: event.currentTarget.value })}
            />
          </label>
          <FieldError id={id} error={unread} />
          {input.by !== 'price' && <RoundingField value={input.rounding} onChange={(rounding) => give({ rounding })} />}
          {plan && <Preview plan={plan} />}
          <div class="buttons">
            <button type="button" onClick={props.onClose}>
              {text('bulk.cancel')}
            </button>
            <button type="submit" class="main" aria-disabled={count === 0 || busy !== null}>
              {busy ? text('bulk.busy') : text('price.go', { n: count })}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

function Preview({ plan: { changes, leftOut } }: { plan: PricePlan }) {
  const more = changes.length + leftOut.length - maxShown
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
    <ul class="rows selected-items" aria-label={text('price.preview')} tabIndex={0}>
      {changes.slice(0, maxShown).map(({ row, price_minor, platforms }) => (
        <li key={row.uid}>
          <div class="grow">
            <p class="cut">{row.title}</p>
            {platforms.length > 0 && (
              <p class="soft">
                {text('price.follows', {
                  platforms: new Intl.ListFormat('en').format(platforms.map((slug) => platformOf(slug).name)),
                })}
              </p>
            )}
          </div>
          <p>
            {text('price.then', {
              from: moneyText(row.price_minor, row.currency),
              to: moneyText(price_minor, row.currency),
            })}
          </p>
        </li>
      ))}
      {leftOut.slice(0, Math.max(maxShown - changes.length, 0)).map(({ row, reason }) => (
        <li key={row.uid}>
          <div class="grow">
            <p class="cut">{row.title}</p>
            <p class="soft">{text(`price.left_out.${reason}`)}</p>
          </div>
        </li>
      ))}
      {more > 0 && <li class="soft">{text('select.more', { n: more })}</li>}
    </ul>
  )
}
