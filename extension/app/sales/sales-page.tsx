import { useEffect, useMemo, useState } from 'preact/hooks'
import { placeName, placeText } from '#extension/i18n/place-name.ts'
import { errorText } from '#extension/messaging/error-text.ts'
import type { OperationAnswer } from '#extension/messaging/operations.ts'
import type { HeldSale, Sale } from '#shared/contract/selling/sales.ts'
import { download } from '../common/csv.ts'
import { moneyText } from '../common/format.ts'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { Choice, Sentence } from '../components/sentence.tsx'
import { useLive } from '../hooks/use-live.ts'
import { call } from '../host.ts'
import { CostsDialog } from './costs-dialog.tsx'
import { HeldRows } from './recent-sales.tsx'
import { SaleRows } from './sale-rows.tsx'
import { SalesChart } from './sales-chart.tsx'
import { salesCsv } from './sales-csv.ts'
import {
  costText,
  currenciesOf,
  feesText,
  type Grouping,
  groupSales,
  leftOutText,
  missingOf,
  profitText,
  type SaleSum,
  sumOf,
} from './sum-sales.ts'
import { gapsOf, text } from './words.ts'

const periods = ['7', '30', '90', 'year', 'all'] as const
type Period = (typeof periods)[number]
const views = ['item', 'day', 'platform'] as const
type View = (typeof views)[number]

/** At most this many sales are read. */
const maxSales = 5_000

/** Sales by day, platform and item, with fees, costs and profit. */
export function SalesPage() {
  const [period, setPeriod] = useState<Period>('30')
  const [place, setPlace] = useState<Sale['platform'] | 'any'>('any')
  const [currency, setCurrency] = useState<string | null>(null)
  const [view, setView] = useState<View>('item')
  const [onlyMissing, setOnlyMissing] = useState(false)
  const [editing, setEditing] = useState<Sale | null>(null)
  const { sales, held, problem, again, replace } = useSales(period)
  const currencies = useMemo(() => currenciesOf(sales ?? []), [sales])
  const shownCurrency = currencies.find((one) => one === currency) ?? currencies[0] ?? 'USD'
  const shown = useMemo(
    () =>
      (sales ?? []).filter((sale) => sale.currency === shownCurrency && (place === 'any' || sale.platform === place)),
    [sales, shownCurrency, place],
  )
  const show = (one: View) => {
    setView(one)
    setOnlyMissing(false)
  }
  const missing = shown.filter((sale) => missingOf(sale).length > 0)
  const places = [...new Set((sales ?? []).map(({ platform }) => platform))]
  return (
    <main class="page item cards sales">
      <h1 class="hidden" tabIndex={-1}>
        {text('palette.sales')}
      </h1>
      <div class="filter">
        <Sentence
          parts={gapsOf('sales.sentence')}
          gaps={{
            period: (
              <Choice
                label={text('sales.period')}
                value={period}
                options={periods.map((one) => [one, text(`sales.period.${one}`)] as const)}
                onChange={setPeriod}
              />
            ),
            place: (
              <Choice
                label={text('sales.place')}
                value={place}
                options={[['any', text('sales.place.any')], ...places.map((one) => [one, placeText(one)] as const)]}
                onChange={setPlace}
              />
            ),
            currency: currencies.length > 1 && (
              <Choice
                label={text('field.currency')}
                value={shownCurrency}
                options={currencies.map((one) => [one, text('sales.currency.in', { currency: one })] as const)}
                onChange={setCurrency}
              />
            ),
          }}
        />
        <a class="button" href="#to-ship">
          {text('palette.ship')}
        </a>
        {shown.length > 0 && (
          <button type="button" onClick={() => download('hapax-sales.csv', salesCsv(shown))}>
            {text('sales.csv')}
          </button>
        )}
      </div>
      {problem && <Failure message={problem} onRetry={again} />}
      {sales === null && !problem && <Loading />}
      {held.length > 0 && (
        <section class="part" aria-labelledby="held">
          <h2 id="held">{text('sales.unconfirmed')}</h2>
          <ul class="rows">
            <HeldRows held={held} />
          </ul>
        </section>
      )}
      {sales !== null && shown.length + held.length === 0 && (
        <div class="center">
          <h2>{text('sales.none')}</h2>
          <p class="soft">{text('sales.none_text')}</p>
        </div>
      )}
      {shown.length > 0 && (
        <>
          {sales?.length === maxSales && <Notice tone="plain">{text('sales.cut', { n: maxSales })}</Notice>}
          <Totals
            sum={sumOf(shown)}
            currency={shownCurrency}
            onMissing={() => {
              setView('item')
              setOnlyMissing(true)
            }}
          />
          <SalesChart sums={groupSales(shown, 'day')} currency={shownCurrency} from={beginOf(period, new Date())} />
          <section class="part">
            <div class="views">
              {views.map((one) => (
                <button key={one} type="button" aria-pressed={view === one} onClick={() => show(one)}>
                  {text(`sales.by_${one}`)}
                </button>
              ))}
            </div>
            {view === 'item' ? (
              <>
                {onlyMissing && (
                  <p class="soft">
                    {text('sales.only_missing')}{' '}
                    <button type="button" class="link" onClick={() => setOnlyMissing(false)}>
                      {text('sales.show_all')}
                    </button>
                  </p>
                )}
                <SaleRows
                  key={`${period} ${place} ${shownCurrency} ${onlyMissing}`}
                  sales={onlyMissing ? missing : shown}
                  onEdit={setEditing}
                />
              </>
            ) : (
              <SumTable sums={groupSales(shown, view)} by={view} currency={shownCurrency} />
            )}
            <p class="soft note">{text('sales.note')}</p>
          </section>
        </>
      )}
      {editing && (
        <CostsDialog
          key={editing.id}
          sale={editing}
          onClose={() => setEditing(null)}
          onSaved={(sale) => {
            replace(sale)
            // Where the missing ones are shown, the next one follows.
            setEditing((onlyMissing && missing[missing.findIndex(({ id }) => id === sale.id) + 1]) || null)
          }}
        />
      )}
    </main>
  )
}

function Totals(props: { sum: SaleSum; currency: string; onMissing: () => void }) {
  const { sum, currency } = props
  const money = (minor: number) => moneyText(minor, currency)
  const missing = [
    sum.unknown_costs > 0 && text('sales.costs_missing', { n: sum.unknown_costs }),
    sum.unknown_fees > 0 && text('sales.fees_missing', { n: sum.unknown_fees }),
  ].filter((one) => one !== false)
  const facts = [
    [text('sales.revenue'), money(sum.revenue)],
    [text('sales.fees_estimated'), feesText(sum, currency)],
    [text('sales.shipping'), money(0 - sum.shipping)],
    [text('field.cost'), costText(sum, currency)],
    [text('sales.profit'), <Profit key="profit" sum={sum} currency={currency} />],
  ] as const
  return (
    <section class="part">
      <h2>{text('sales.count', { n: sum.sales })}</h2>
      <dl class="figures">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {missing.length > 0 && (
        <button type="button" class="link" onClick={props.onMissing}>
          {missing.join(', ')}
        </button>
      )}
    </section>
  )
}

/** A profit, and below it how many sales it leaves out. */
function Profit({ sum, currency }: { sum: SaleSum; currency: string }) {
  const leftOut = leftOutText(sum)
  return (
    <>
      {profitText(sum, currency)}
      {leftOut && <span class="count block">{leftOut}</span>}
    </>
  )
}

function SumTable({ sums, by, currency }: { sums: SaleSum[]; by: Grouping; currency: string }) {
  const money = (minor: number) => moneyText(minor, currency)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways has to be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={text(`sales.by_${by}`)}>
      <table class="sums">
        <thead>
          <tr>
            <th scope="col" class="cell column first">
              {text(by === 'day' ? 'sales.day' : 'sales.platform')}
            </th>
            {(['number', 'revenue', 'fees', 'profit'] as const).map((name) => (
              <th key={name} scope="col" class="cell column">
                {text(`sales.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sums.map((sum) => (
            <tr key={sum.key}>
              <th scope="row" class="cell first">
                {by === 'day' ? dayText(sum.key) : placeName(sum.key as Sale['platform'])}
              </th>
              <td class="cell">{sum.sales}</td>
              <td class="cell">{money(sum.revenue)}</td>
              <td class="cell">{feesText(sum, currency)}</td>
              <td class="cell">
                <Profit sum={sum} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const days = new Intl.DateTimeFormat(undefined, { weekday: 'short', month: 'short', day: 'numeric' })

function dayText(day: string): string {
  return days.format(new Date(`${day}T12:00:00`))
}

/** Reads all sales of a period, page by page, and those that are not confirmed yet. Null until the first page is there. */
function useSales(period: Period) {
  const [sales, setSales] = useState<Sale[] | null>(null)
  const [held, setHeld] = useState<HeldSale[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let stale = false
    const read = async () => {
      const read: Sale[] = []
      let cursor: string | null = null
      do {
        const from = beginOf(period, new Date())
        const page: OperationAnswer<'listSales'> = await call('listSales', {
          query: { page_size: '100', ...(from !== null && { from }), ...(cursor !== null && { cursor }) },
        })
        if (stale) return
        if (page.held) setHeld(page.held)
        read.push(...page.results)
        cursor = page.next_cursor
      } while (cursor !== null && read.length < maxSales)
      setSales(read)
      setProblem(null)
    }
    read().catch((error: unknown) => !stale && setProblem(errorText(error)))
    return () => {
      stale = true
    }
  }, [period, turn])
  const again = () => setTurn((before) => before + 1)
  useLive((news) => news.inventory && again())
  const replace = (sale: Sale) =>
    setSales((before) => before?.map((one) => (one.id === sale.id ? sale : one)) ?? before)
  return { sales, held, problem, again, replace }
}

/** Returns the begin of a period at the seller's own midnight, or null for all time. */
function beginOf(period: Period, now: Date): string | null {
  if (period === 'all') return null
  if (period === 'year') return new Date(now.getFullYear(), 0, 1).toISOString()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - Number(period) + 1).toISOString()
}
