/**
 * How much of a campaign a run makes. A campaign repeats a race, or kills a worker at every point, until a fault would
 * show. A normal run makes a part of each, another one every day. `npm run test:campaigns` makes all of them.
 */
const isWhole = process.env.CAMPAIGNS === 'all'

/** The number of the day, the same in all processes of a run that does not begin at midnight. */
export const seedOfTheDay = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))

/**
 * Returns the number of rounds of a race: a fifth of `all`, or all of them in a whole campaign, or ROUNDS
 * (`ROUNDS=10000 npm run vitest -- --project server server/accounts/auth/single-use`).
 */
export function rounds(all: number): number {
  return Number(process.env.ROUNDS ?? (isWhole ? all : Math.ceil(all / 5)))
}

/** Returns the timeout of `count` rounds in ms. */
export const roundsTimeoutMs = (count: number, eachMs = 200) => 180_000 + count * eachMs

/** Returns a third of the points, other ones every day, so that three days make all; all points in a whole campaign. */
export function pointsOfTheDay<Point>(points: readonly Point[]): Point[] {
  return points.filter((_, index) => isWhole || index % 3 === seedOfTheDay % 3)
}
