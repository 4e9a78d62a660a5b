/**
 * Returns the number of rounds of a race: `few` by default, or ROUNDS
 * (`ROUNDS=10000 npm run vitest -- --project server server/accounts/auth/single-use`).
 */
export function rounds(few: number): number {
  return Number(process.env.ROUNDS ?? few)
}

/** Returns the timeout of `count` rounds in ms. */
export const roundsTimeoutMs = (count: number, eachMs = 200) => 180_000 + count * eachMs
