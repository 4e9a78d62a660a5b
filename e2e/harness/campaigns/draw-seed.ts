import { randomInt } from 'node:crypto'

/** Draws the seed of a whole campaign before its workers start, unless SEED gives it, and prints how to repeat it. */
export default function setup(): void {
  if (process.env.CAMPAIGNS !== 'all') return
  process.env.SEED ??= String(randomInt(100_000))
  process.stdout.write(`Repeat these campaigns: SEED=${process.env.SEED} npm run test:campaigns\n`)
}
