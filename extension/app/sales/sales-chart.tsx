import { dayOf, moneyText } from '../common/format.ts'
import type { SaleSum } from './sum-sales.ts'
import { text } from './words.ts'

/** At most this many bars fit a phone; more days are drawn as weeks. */
const maxBars = 92

/**
 * Revenue by day as bars, from the begin of the period until today (`from` null: from the first sale to the last). The
 * table beside it has the same figures, so one sentence describes the picture.
 */
export function SalesChart(props: { sums: readonly SaleSum[]; currency: string; from: string | null }) {
  const { sums, currency, from } = props
  if (sums.length < 2) return null
  const bars = barsOf(sums, from)
  const most = Math.max(...bars.map(({ revenue }) => revenue), 1)
  const best = sums.reduce((one, other) => (other.revenue > one.revenue ? other : one))
  const step = 100 / bars.length
  const words = text('sales.chart_text', {
    from: dayText(bars[0]!.day),
    to: dayText(bars.at(-1)!.day),
    most: `${dayText(best.key)}, ${moneyText(best.revenue, currency)}`,
  })
  return (
    <section class="part" aria-labelledby="sales-chart">
      <h2 id="sales-chart">{text('sales.chart')}</h2>
      <figure class="chart">
        <svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label={words}>
          {bars.map(({ day, revenue }, index) => {
            const height = (revenue / most) * 29
            return (
              <rect
                key={day}
                x={index * step + step * 0.1}
                y={29.5 - height}
                width={step * 0.8}
                height={height + 0.5}
                class={revenue > 0 ? 'bar' : 'bar none'}
              />
            )
          })}
        </svg>
        <figcaption class="soft">{words}</figcaption>
      </figure>
    </section>
  )
}

/** Returns a bar for each day, or for each week where those are too many. */
function barsOf(sums: readonly SaleSum[], from: string | null): { day: string; revenue: number }[] {
  const [last, first] = from ? [dayOf(Date.now()), dayOf(Date.parse(from))] : [sums[0]!.key, sums.at(-1)!.key]
  const revenue = new Map(sums.map((sum) => [sum.key, sum.revenue]))
  const days: { day: string; revenue: number }[] = []
  for (const date = new Date(`${first}T12:00:00`); dayOf(date.getTime()) <= last; date.setDate(date.getDate() + 1)) {
    const day = dayOf(date.getTime())
    days.push({ day, revenue: revenue.get(day) ?? 0 })
  }
  const size = Math.ceil(days.length / maxBars)
  return Array.from({ length: Math.ceil(days.length / size) }, (_, n) => {
    const some = days.slice(n * size, (n + 1) * size)
    return { day: some[0]!.day, revenue: some.reduce((sum, one) => sum + one.revenue, 0) }
  })
}

const days = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

function dayText(day: string): string {
  return days.format(new Date(`${day}T12:00:00`))
}
