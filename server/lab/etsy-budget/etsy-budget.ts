import { parseArgs } from 'node:util'
import { etsyBudget } from '#server/selling/orders/budget-figure.ts'

/** Prints how often the orders of Etsy shops can be read with Etsy's 10,000 calls a day: `--shops 500`. */
const { values } = parseArgs({ options: { shops: { type: 'string', default: '500' } } })
const figure = etsyBudget(Number(values.shops))
const time = (seconds: number) => {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
const line = (name: string, of: { busiestSeconds: number; medianSeconds: number; coveredIn60: number }) =>
  `  ${name.padEnd(46)} busiest ${time(of.busiestSeconds).padStart(7)}, middle ${time(of.medianSeconds).padStart(7)}, within 60 s: ${of.coveredIn60}`

process.stdout.write(
  [
    `${figure.shops} Etsy shops, ${figure.granted} calls a day for the whole application:`,
    `  reading orders takes ${figure.callsPerDay}; the rest is for delisting (first), listing and importing.`,
    `  every shop is read at least every ${time(figure.slowestSeconds)}.`,
    'Time until a lost push is found, if shops sell unevenly (the busiest 40 a week, the k-th 40/k):',
    line('all pushes come (the net only)', figure.withPushes),
    line('no push comes', figure.withoutPushes),
    line(`pushes of ${figure.someWithoutPushes.shops} shops are lost: those shops`, figure.someWithoutPushes),
    '',
  ].join('\n'),
)
