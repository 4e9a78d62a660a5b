import type { Overview } from '#extension/messaging/overview.ts'
import { dayText } from '../common/format.ts'
import { useHost } from '../host.ts'
import { text } from './room-words.ts'

/** Says how many orders are to be shipped, and until when. Red when one is late. */
export function ShipRow({ shipments }: Pick<Overview, 'shipments'>) {
  const { page } = useHost()
  const { to_ship, late, refused, next_ship_by } = shipments
  if (to_ship === 0) return null
  return (
    <section class="part" aria-label={text('palette.ship')}>
      <ul class="rows">
        <li>
          <div class="grow">
            <p>{text('sales.orders_to_ship', { n: to_ship })}</p>
            {late > 0 && <p class="bad">{text('sales.orders_late', { n: late })}</p>}
            {late === 0 && next_ship_by && (
              <p class="soft">{text('sales.next_ship_by', { day: dayText(next_ship_by) })}</p>
            )}
            {refused > 0 && <p class="bad">{text('sales.parcels_refused', { n: refused })}</p>}
          </div>
          <a class="button" href={`${page}#to-ship`} target={page ? '_blank' : undefined}>
            {text('palette.ship')}
          </a>
        </li>
      </ul>
    </section>
  )
}
