import type { HeldSale } from '#shared/contract/selling/sales.ts'
import { text } from './room-words.ts'

/** The title of a sold item as a link to it; words in its place if the item was deleted. */
export function SaleTitle({ sale }: { sale: HeldSale }) {
  return (
    <p class="cut">
      {sale.title ? (
        <a class="plain" href={`#item/${sale.inventory_item_uid}`}>
          {sale.title}
        </a>
      ) : (
        text('sales.deleted')
      )}
    </p>
  )
}
