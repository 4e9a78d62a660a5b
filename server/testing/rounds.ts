/**
 * How often a race is run: `few` in the ordinary tests, or as many as ROUNDS says
 * (`ROUNDS=10000 npm run vitest -- --project server server/accounts/auth/single-use`).
 */
export function rounds(few: number): number {
  return Number(process.env.ROUNDS ?? few)
}

/** Milliseconds that so many rounds may take. */
export const roundsTimeoutMs = (count: number, eachMs = 200) => 180_000 + count * eachMs
