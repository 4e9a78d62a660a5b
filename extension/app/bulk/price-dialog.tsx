import { useId, useRef, useState } from 'preact/hooks'
import { sendAgain } from '#extension/messaging/send-again.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { BulkJob } from '#shared/contract/selling/listings.ts'
import { platforms as catalogue, platformOf } from '#shared/platforms.ts'
import type { PriceChange } from '#shared/price-schemas.ts'
import { amountText } from '../common/amount.ts'
import { moneyText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { sellerSettings } from '../common/own-units.ts'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { Select, TextInput } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { RoundingField } from '../defaults/rounding-field.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { FieldError, wrong } from '../list/field-error.tsx'
import { currenciesOf } from '../sales/sum-sales.ts'
import { JobProgress } from './job-progress.tsx'
import { type ListingPrice, type PriceInput, type PricePlan, planPrice, readPriceChange } from './plan-price.ts'
import { text } from './words.ts'

/** Items that the preview shows before the seller asks for more. */
const step = 200

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
  const settings = useRequest('settings', sellerSettings)
  // Without its rules the table would promise other prices than the platforms get.
  const plan: PricePlan | null =
    change && settings.state === 'ready' ? planPrice(rows, change, settings.value.price_rules) : null
  const count = plan?.changes.length ?? 0
  const give = (next: Partial<PriceInput>) => {
    // Another change is another request.
    key.current = crypto.randomUUID()
    setInput({ ...input, ...next })
  }
  const go = (given: PriceChange, { changes }: PricePlan) =>
    act('go', async () => {
      const uids = changes.map(({ row }) => row.uid)
      setJob(
        await sendAgain(() =>
          call('bulkPrice', { body: { uids, change: given }, headers: { 'idempotency-key': key.current } }),
        ),
      )
    })
  return (
    <Dialog title={text('price.title', { n: rows.length })} onClose={props.onClose}>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {job ? (
        <JobProgress job={job} done={(n) => text('price.done', { n })} onClose={props.onClose} />
      ) : (
        <form onSubmit={handleSubmit(() => change && plan && count > 0 && go(change, plan))}>
          <Select
            label={text('price.by')}
            value={input.by}
            options={[
              ['percent', text('price.by.percent')],
              ['amount', text('price.by.amount', { currency })],
              ['price', text('price.by.price', { currency })],
            ]}
            onChange={(by) => give({ by })}
          />
          {input.by !== 'percent' && currencies.length > 1 && (
            <Select
              label={text('price.currency')}
              value={currency}
              options={currencies.map((one) => [one, one])}
              onChange={(one) => {
                setWanted(one)
                give({})
              }}
            />
          )}
          <TextInput
            label={input.by === 'amount' ? text('price.value.amount', { example }) : text(`price.value.${input.by}`)}
            id={id}
            autocomplete="off"
            value={input.value}
            {...wrong(id, unread)}
            onInput={(value) => give({ value })}
          />
          <FieldError id={id} error={unread} />
          {input.by !== 'price' && <RoundingField value={input.rounding} onChange={(rounding) => give({ rounding })} />}
          {settings.state === 'failed' && <Failure message={settings.message} onRetry={settings.again} />}
          {plan && <Preview plan={plan} />}
          <DialogButtons
            onCancel={props.onClose}
            action={busy ? text('working') : text('price.go', { n: count })}
            isDisabled={count === 0 || busy !== null}
          />
        </form>
      )}
    </Dialog>
  )
}

/** A table of all items with their prices, and the price of each listing. */
function Preview({ plan: { changes, leftOut } }: { plan: PricePlan }) {
  const [shown, setShown] = useState(step)
  const platforms = catalogue.map(({ slug }) => slug).filter((slug) => changes.some((one) => isOn(one.listings, slug)))
  const more = changes.length - shown
  return (
    <>
      {leftOut.length > 0 && (
        <details class="left-out">
          <summary>{text('price.left_out', { n: leftOut.length })}</summary>
          <ul>
            {leftOut.map(({ row, reason }) => (
              <li key={row.uid}>
                {row.title} <span class="soft">{text(`price.left_out.${reason}`)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
        <section class="prices" aria-label={text('price.preview')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text('price.item')}</th>
                <th scope="col">{text('price.now')}</th>
                <th scope="col">{text('price.new')}</th>
                {platforms.map((slug) => (
                  <th key={slug} scope="col">
                    {platformOf(slug).name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changes.slice(0, shown).map(({ row, price_minor, listings }) => (
                <tr key={row.uid}>
                  <th scope="row">{row.title}</th>
                  <td>{moneyText(row.price_minor, row.currency)}</td>
                  <td>
                    <strong>{moneyText(price_minor, row.currency)}</strong>
                  </td>
                  {platforms.map((slug) => (
                    <td key={slug}>
                      {listings
                        .filter(({ platform }) => platform === slug)
                        .map((listing, n) => (
                          <ListingCell key={n} listing={listing} currency={row.currency} />
                        ))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {more > 0 && (
        <button type="button" class="quiet wide" onClick={() => setShown(shown + step)}>
          {text('task.more', { n: more })}
        </button>
      )}
    </>
  )
}

const isOn = (listings: readonly ListingPrice[], slug: string) => listings.some(({ platform }) => platform === slug)

/** The new price of a listing, or why it keeps its own. */
function ListingCell({ listing, currency }: { listing: ListingPrice; currency: string }) {
  const { keeps, price_minor, was, platform, endsSale } = listing
  if (keeps === null)
    return (
      <span class="block">
        {was !== undefined && <s class="soft block">{moneyText(was, currency)}</s>}
        {moneyText(price_minor, currency)}
        {endsSale && (
          <span class="warn block">{text('price.ends_sale', { platforms: platformOf(platform).name })}</span>
        )}
      </span>
    )
  return <span class="soft block">{text(`price.keeps.${keeps}`, { price: moneyText(price_minor, currency) })}</span>
}
