import { parseArgs } from 'node:util'
import { mutants } from '../simulation/ledger.ts'
import { runSimulation } from '../simulation/run-simulation.ts'

/**
 * Runs simulations: `--seeds 100000` of them (from `--from`), or a single one with `--seed 42 --trace`, which prints
 * every event. Exits with 1 and the seeds if an invariant was broken. `--mutant` breaks a rule on purpose.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    mutant: { type: 'string' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const mutant = mutants.find((name) => name === values.mutant)
if (values.mutant && !mutant) {
  say(`There is no such mutant. There are: ${mutants.join(', ')}`)
  process.exit(2)
}
const from = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1

const startedMs = performance.now()
const total = { purchases: 0, doublePurchases: 0, crashes: 0, events: 0 }
const byPlatforms = new Map<number, number>()
const broken: number[] = []
for (let seed = from; seed < from + count; seed++) {
  const result = runSimulation(seed, { mutant, ...(values.trace ? { trace: say } : {}) })
  if (values.trace) say(JSON.stringify(result.settings))
  const { platforms } = result.settings
  byPlatforms.set(platforms, (byPlatforms.get(platforms) ?? 0) + 1)
  for (const name of ['purchases', 'doublePurchases', 'crashes', 'events'] as const) total[name] += result[name]
  if (result.violations.length > 0) {
    broken.push(seed)
    if (broken.length <= 20) say(`seed ${seed}: ${result.violations.slice(0, 5).join('; ')}`)
  }
  if ((seed - from) % 10_000 === 9_999) say(`  ${seed - from + 1} simulations …`)
}
const seconds = (performance.now() - startedMs) / 1000
say(
  `${count} simulations in ${seconds.toFixed(1)} s: ${total.purchases} purchases, ${total.doublePurchases} double purchases ` +
    `(none that could have been prevented, all flagged${broken.length > 0 ? ', BUT SEE ABOVE' : ''}), ` +
    `${total.crashes} workers died, ${total.events} events.`,
)
const spread = [...byPlatforms].sort(([one], [other]) => one - other)
say(
  `Simulations by number of platforms: ${spread.map(([platforms, simulations]) => `${platforms}: ${simulations}`).join(', ')}.`,
)
say(
  broken.length === 0
    ? 'No invariant was broken.'
    : `BROKEN in ${broken.length} simulations; again: --seed ${broken[0]} --trace`,
)
process.exit(broken.length > 0 ? 1 : 0)
