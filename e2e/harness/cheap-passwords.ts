import type { PasswordHasher } from '#server/accounts/passwords/hasher.ts'

/** A hasher without hashing, for tests that need many passwords. */
export const cheapPasswords: PasswordHasher = {
  isFull: () => false,
  hash: async (password) => `cheap:${password}`,
  verify: async (hash, password) => hash === `cheap:${password}`,
}
