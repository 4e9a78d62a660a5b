import type { Queries } from '#server/db/index.ts'
import type { Services } from '#server/services.ts'

/** Runs inside the transaction that closes an account: what it writes exists if and only if the account is closed. */
export type AccountHook = (services: Services, queries: Queries, userId: number) => Promise<void>

/** What other features do when an account is closed; they add their functions when their module is loaded. */
export const accountHooks = { closed: new Set<AccountHook>() }
