import { useState } from 'preact/hooks'
import { placeName } from '#extension/i18n/place-name.ts'
import type { Sale } from '#shared/contract/selling/sales.ts'
import { dateText, moneyText, whenText } from '../common/format.ts'
import { More } from '../components/pending.tsx'
import { Thumb } from '../components/thumb.tsx'
import { ShippingLine } from '../shipping/shipping-line.tsx'
import { SaleTitle } from './sale-title.tsx'
import { daysToSell, missingOf, profitOf } from './sum-sales.ts'
import { text } from './words.ts'

/** More rows at once would make the page slow. */
const rowsAtOnce = 200

/** Sales one by one, with their costs. */
export function SaleRows(props: {
  sales: readonly Sale[]
  /** They stand on the page of their item. */
  onItem?: boolean
  onEdit: (sale: Sale) => void
}) {
  const { sales, onItem, onEdit } = props
  const [most, setMost] = useState(rowsAtOnce)
  return (
    <>
      <ul class="rows">
        {sales.slice(0, most).map((sale) => (
          <li key={sale.id}>
            {!onItem && <Thumb src={sale.image} size={56} />}
            <div class="grow">
              {!onItem && <SaleTitle sale={sale} />}
              <p class="soft">
                {[placeName(sale.platform), soldText(sale), daysText(sale)].filter(Boolean).join(' · ')}
              </p>
              <p class="soft">{costsText(sale)}</p>
              <ShippingLine sale={sale} />
            </div>
            <div class="amounts">
              <strong>{moneyText(sale.price_minor, sale.currency)}</strong>
              <button
                type="button"
                class="link"
                aria-label={`${text('sales.edit')}, ${sale.title ?? text('sales.deleted')}`}
                onClick={() => onEdit(sale)}
              >
                {text('sales.edit')}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {sales.length > most && <More onMore={() => setMost(most + rowsAtOnce)} />}
    </>
  )
}

/** Formats the time of a sale. A file tells the day. */
const soldText = ({ sold_at, told_by }: Sale) =>
  told_by === 'file' ? dateText(sold_at) : whenText(Date.parse(sold_at))

function daysText(sale: Sale): string | null {
  const days = daysToSell(sale)
  return days === null ? null : text('sales.days', { n: days })
}

function costsText(sale: Sale): string {
  const { platform, fee_minor, fee_source, shipping_minor, cost_minor, currency } = sale
  const amount = (minor: number) => moneyText(minor, currency)
  return [
    platform !== 'outside' &&
      (fee_minor === null
        ? text('sales.fee_unknown')
        : text(fee_source === 'entered' ? 'sales.fee_entered' : 'sales.fee_estimated', { amount: amount(fee_minor) })),
    shipping_minor !== null && text('sales.shipping_is', { amount: amount(shipping_minor) }),
    cost_minor !== null && text('sales.cost_is', { amount: amount(cost_minor) }),
    profitText(sale),
  ]
    .filter(Boolean)
    .join(' · ')
}

function profitText(sale: Sale): string {
  const profit = profitOf(sale)
  if (profit !== null) return text('sales.profit_is', { amount: moneyText(profit, sale.currency) })
  const missing = missingOf(sale)
  return text(missing.length > 1 ? 'sales.profit_without_both' : `sales.profit_without_${missing[0]!}`)
}
