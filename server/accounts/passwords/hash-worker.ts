import { hashSync, verifySync } from '@node-rs/argon2'

/** Hashes a password, or verifies it. */
export interface HashTask {
  password: string
  /** The hash to verify the password against; absent to hash it. */
  passwordHash?: string
}

/** argon2id, the library's default, with OWASP's first choice: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Runs on a thread of the pool. Hashes the NFKC form, as NIST SP 800-63B (3.1.1.2) asks: keyboards send the same
 * characters in different forms. Hashes of earlier versions have the form that was typed then, so the others are compared,
 * too. Passwords of ASCII have one form.
 */
export default function run({ password, passwordHash }: HashTask): string | boolean {
  if (passwordHash === undefined) return hashSync(password.normalize('NFKC'), cost)
  const forms = new Set([...(['NFKC', 'NFC', 'NFD'] as const).map((form) => password.normalize(form)), password])
  return [...forms].some((form) => verifySync(passwordHash, form))
}
