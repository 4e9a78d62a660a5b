import type { PasswordHasher } from '#server/accounts/passwords/hasher.ts'

/** Passwords "hashed" by nothing, for tests that run something else very often. */
export const cheapPasswords: PasswordHasher = {
  isFull: () => false,
  hash: async (password) => `cheap:${password}`,
  verify: async (hash, password) => hash === `cheap:${password}`,
}
