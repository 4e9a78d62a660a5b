import { parseArgs } from 'node:util'
import { z } from 'zod'
import { etsyBudget } from './budget-figure.ts'

/** Prints how often the orders of Etsy shops can be read within the app's calls: `--shops 500 --calls 10000`. */
const usage = `npm run etsy-budget -- [--shops 500] [--calls 10000]

Prints how often the orders of this many Etsy shops can be read.
  --shops N   connected Etsy shops (500)
  --calls N   calls that Etsy grants the app in 24 hours (10000; ETSY_DAILY_CALLS)
`
const Options = z.object({
  shops: z.coerce.number().int().min(1).max(1_000_000).default(500),
  calls: z.coerce.number().int().min(1).max(100_000_000).default(10_000),
})

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { shops: { type: 'string' }, calls: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) return null
    const parsed = Options.safeParse(values)
    if (parsed.success) return parsed.data
    process.stderr.write(`--shops and --calls take whole numbers from 1.\n\n${usage}`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`)
  }
  process.exitCode = 1
  return undefined
}

const time = (seconds: number) => {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
const line = (name: string, of: { busiestSeconds: number; medianSeconds: number; coveredIn60: number }) =>
  `  ${name.padEnd(46)} busiest ${time(of.busiestSeconds).padStart(7)}, middle ${time(of.medianSeconds).padStart(7)}, within 60 s: ${of.coveredIn60}`

const options = readOptions()
if (options === null) process.stdout.write(usage)
if (options) {
  const figure = etsyBudget(options.shops, options.calls)
  const isEnough = figure.needed <= figure.forReading
  process.stdout.write(
    [
      `${figure.shops} Etsy shops, ${figure.granted} calls a day for the whole application:`,
      `  reading orders takes ${figure.callsPerDay}; the rest is for delisting (first), listing and importing.`,
      `  every shop is read at least every ${time(figure.slowestSeconds)}.`,
      isEnough
        ? `  every 6 h needs ${figure.needed} of ${figure.forReading}: enough.`
        : `  every 6 h would need ${figure.needed} of ${figure.forReading}: ask Etsy for ${figure.needed * 2} calls a day.`,
      'Time until a lost push is found, if shops sell unevenly (the busiest 40 a week, the k-th 40/k):',
      line('all pushes come (the net only)', figure.withPushes),
      line('no push comes', figure.withoutPushes),
      line(`pushes of ${figure.someWithoutPushes.shops} shops are lost: those shops`, figure.someWithoutPushes),
      '',
    ].join('\n'),
  )
}
