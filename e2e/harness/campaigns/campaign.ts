/**
 * How much of a campaign a run makes. A campaign repeats a race, or kills a worker at every point, until a fault would
 * show. `npm test` makes the same part of each at every run, so that a commit has one verdict. `npm run test:campaigns`
 * makes all of them, from a new seed.
 */
const isWhole = process.env.CAMPAIGNS === 'all'

/** Seeds the random choices of tests. SEED names another one, as a whole campaign does (draw-seed.ts). */
export const campaignSeed = Number(process.env.SEED ?? 1)

/**
 * Returns the number of rounds of a race: a fifth of `all` (or another part), or all of them in a whole campaign, or
 * ROUNDS (`ROUNDS=10000 npm run vitest -- --project campaigns server/accounts/sign-in/single-use`).
 */
export function rounds(all: number, part = 1 / 5): number {
  return Number(process.env.ROUNDS ?? (isWhole ? all : Math.ceil(all * part)))
}

/** Returns the timeout of `count` rounds in ms. */
export const roundsTimeoutMs = (count: number, eachMs = 200) => 900_000 + count * eachMs

/**
 * Returns a third of the points, and at least one; three seeds in a row make all. Returns all points in a whole campaign.
 */
export function somePoints<Point>(points: readonly Point[]): Point[] {
  const parts = Math.min(3, points.length)
  return points.filter((_, index) => isWhole || index % parts === campaignSeed % parts)
}

/** Returns the command that makes the same rounds and points of a campaign's file again. */
export function commandToRepeat(file: string): string {
  const share = isWhole ? ' CAMPAIGNS=all' : ''
  const count = process.env.ROUNDS === undefined ? '' : ` ROUNDS=${process.env.ROUNDS}`
  return `SEED=${campaignSeed}${share}${count} npm run vitest -- run --project campaigns ${file}`
}
