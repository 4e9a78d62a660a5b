import type { ComponentChildren } from 'preact'
import { placeName } from '#extension/i18n/place-name.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { HeldSale, Sale, SalesTotals } from '#shared/contract/selling/sales.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { agoText, moneyText } from '../common/format.ts'
import { platformNames } from '../common/platform-names.ts'
import { Thumb } from '../components/thumb.tsx'
import { useLive } from '../hooks/use-live.ts'
import { useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { text } from './room-words.ts'
import { SaleTitle } from './sale-title.tsx'

/** Asks again at most this often without news, in ms. */
const everyMs = 60_000

/**
 * The newest sales of seven days after those that are not confirmed yet, with totals. Nothing while there are none. Among `alerts` are
 * listings of which the seller only says that they have ended.
 */
export function RecentSales({ asOf, alerts }: { asOf: number | null; alerts: readonly Alert[] }) {
  const request = useRequest(String(Math.floor((asOf ?? 0) / everyMs)), () => readSales(periods(new Date())))
  useLive((news) => news.inventory && request.again())
  if (request.state !== 'ready') return null
  const { sales, held, day, week } = request.value
  if (week.sales + held.length === 0) return null
  const isSaid = (item: string, slug: PlatformSlug) =>
    alerts.some((one) => one.ended_said_at && one.inventory_item_uid === item && one.platform === slug)
  return (
    <section class="part" aria-labelledby="sold">
      <h2 id="sold">
        {text('sales.sold')}
        <a class="more" href="#sales">
          {text('sales.all')}
        </a>
      </h2>
      {week.sales > 0 && (
        <dl class="figures">
          <div>
            <dt>{text('sales.today')}</dt>
            <Total {...day} />
          </div>
          <div>
            <dt>{text('sales.week')}</dt>
            <Total {...week} />
          </div>
        </dl>
      )}
      <ul class="rows">
        <HeldRows held={held} />
        {sales.map((sale) => (
          <Row key={sale.id} sale={sale}>
            <strong class="good">{soldText(sale)}</strong>{' '}
            {endedText(sale, (slug) => isSaid(sale.inventory_item_uid, slug))}
          </Row>
        ))}
      </ul>
    </section>
  )
}

/** Sales of which only a mail told, until their marketplace shows them. */
export function HeldRows({ held }: { held: readonly HeldSale[] }) {
  return held.map((sale) => (
    <Row key={sale.order_uid} sale={sale}>
      <strong>{soldText(sale)}</strong> {text('sales.held', { platform: placeName(sale.platform) })}
    </Row>
  ))
}

function Row({ sale, children }: { sale: HeldSale; children: ComponentChildren }) {
  return (
    <li>
      <Thumb src={sale.image} size={56} />
      <div class="grow">
        <SaleTitle sale={sale} />
        <p>{children}</p>
      </div>
      <span class="soft">{agoText(Date.parse(sale.sold_at))}</span>
    </li>
  )
}

/** Returns the seller's own midnight, and the one six days before. No sale of last night is gone on a Monday. */
function periods(now: Date): { day_from: string; week_from: string } {
  const midnight = (daysAgo: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).toISOString()
  return { day_from: midnight(0), week_from: midnight(6) }
}

function Total({ sales, amounts }: SalesTotals) {
  if (sales === 0) return <dd>{text('sales.none_today')}</dd>
  return (
    <dd>
      {amounts.map(({ price_minor, currency }) => moneyText(price_minor, currency)).join(' + ')}{' '}
      <span class="count">{text('sales.count', { n: sales })}</span>
    </dd>
  )
}

function soldText({ platform, price_minor, currency }: HeldSale): string {
  const price = moneyText(price_minor, currency)
  if (platform === 'outside') return text('sales.outside', { price })
  // A sale that was seen on a page without its price counts as zero.
  if (price_minor === 0) return text('sales.no_price', { place: placeName(platform) })
  return text('sales.on', { place: placeName(platform), price })
}

/** Only the seller can end a listing there. */
const isManual = (platform: PlatformSlug) => platformOf(platform).capabilities.list === 'manual'

function endedText({ ended_on, live_on }: Sale, isSaid: (slug: PlatformSlug) => boolean): string {
  const ended = ended_on.filter((platform) => !isSaid(platform))
  const ending = live_on.filter((platform) => !isManual(platform))
  return [
    ended.length > 0 && text('sales.ended', { platforms: platformNames(ended) }),
    ending.length > 0 && text('sales.ending', { platforms: platformNames(ending) }),
  ]
    .filter(Boolean)
    .join(' ')
}

async function readSales({ day_from, week_from }: ReturnType<typeof periods>) {
  const [{ results: sales, held = [] }, day, week] = await Promise.all([
    call('listSales', { query: { from: week_from, page_size: '5' } }),
    call('getSalesTotals', { query: { from: day_from } }),
    call('getSalesTotals', { query: { from: week_from } }),
  ])
  return { sales, held, day, week }
}
