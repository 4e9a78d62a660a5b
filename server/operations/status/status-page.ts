import type Router from '@koa/router'
import { html } from '#server/infra/html.ts'
import { sendPage } from '#server/pages/layout.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import { kept } from './global-metrics.ts'
import { readStatus, type Status } from './read-status.ts'
import { keptMs } from './routes.ts'

/** Mounts `/status`: whether the server runs, and what `GET /api/v1/status/` says, for people. */
export function mountStatusPage(router: Router, services: Services): void {
  const read = kept(() => readStatus(services.db, services), keptMs)
  router.get('/status', async (ctx) => {
    const isRunning = await services.db
      .one('select 1 as one')
      .then(() => true)
      .catch((error: unknown) => {
        services.log.warn({ err: error }, 'status page: the database does not answer')
        return false
      })
    if (!isRunning) {
      const body = html`<h1>Status</h1>
<p><strong class="bad">The database does not answer.</strong> Nothing is lost; try again in a moment.</p>`
      return sendPage(ctx, { title: 'Status', status: 503, body })
    }
    const { double_sales, platforms, from } = await read()
    const { sales, preventable, preventable_per_10000 } = double_sales
    sendPage(ctx, {
      title: 'Status',
      body: html`<h1>Status</h1>
<p><strong class="good">Running.</strong> The server and its database answer.</p>
<p>Measured on this server over all sellers, since ${day(from)}.</p>
<h2>Sold twice</h2>
${
  preventable_per_10000 === null
    ? html`<p>No sales yet.</p>`
    : html`<p><strong>${number(preventable_per_10000)} preventable double sales per 10,000 sales</strong>: ${number(preventable)} of
${number(sales)} sales. In all, ${number(double_sales.double_sales)} items were sold twice.</p>
<p class="soft">Preventable: the second buyer ordered after Hapax knew of the first, or nobody knows when.</p>`
}
<h2 id="times">From the sale to the end of the other listings</h2>
<div class="scroll" role="region" aria-labelledby="times" tabindex="0"><table>
<thead><tr><th scope="col">Marketplace</th><th scope="col">Ended by</th><th scope="col">Half within</th><th scope="col">95 of 100 within</th><th scope="col">Listings</th></tr></thead>
<tbody>
${platforms.map(row)}
</tbody>
</table></div>
<p>The same as data: <a href="/api/v1/status/">/api/v1/status/</a></p>`,
    })
  })
}

function row({ platform, taken_down_by, delists }: Status['platforms'][number]) {
  const times = delists.sale_to_down_ms
  return html`<tr><th scope="row">${platformOf(platform).name}</th>
<td>${taken_down_by === 'api' ? 'Hapax' : 'The seller'}</td>
${times ? html`<td>${duration(times.p50)}</td><td>${duration(times.p95)}</td><td>${number(times.take_downs)}</td>` : html`<td colspan="3"><span class="soft">Too few sales to say</span></td>`}</tr>`
}

const number = (value: number) => value.toLocaleString('en-US')
const day = (instant: string) => new Date(instant).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Returns a time in its largest unit, to two figures below ten. */
function duration(ms: number): string {
  const units = [
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1_000, 'second'],
  ] as const
  const [size, unit] = units.find(([each]) => ms >= each) ?? units[2]
  const value = ms / size
  return new Intl.NumberFormat('en-US', {
    ...{ style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: value < 10 ? 1 : 0 },
  }).format(value)
}
