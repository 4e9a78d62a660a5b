// @vitest-environment happy-dom
import { render } from 'preact'
import { expect, it, vi } from 'vitest'
import { SalesChart } from './sales-chart.tsx'
import type { SaleSum } from './sum-sales.ts'

it.each([
  ['the whole period until today', new Date(2026, 10, 1).toISOString(), 29],
  ['all time from the first sale to the last', null, 4],
])('draws %s', (_, from, bars) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 29, 12) })
  const sums = ['2026-11-20', '2026-11-17'].map((key) => ({ key, revenue: 4_500 }) as SaleSum)
  const root = document.body.appendChild(document.createElement('div'))
  render(<SalesChart sums={sums} currency="USD" from={from} />, root)
  expect(root.querySelectorAll('rect')).toHaveLength(bars)
})
