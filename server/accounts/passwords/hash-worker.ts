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
 * characters in different forms.
 */
export default function run({ password, passwordHash }: HashTask): string | boolean {
  const normal = password.normalize('NFKC')
  return passwordHash === undefined ? hashSync(normal, cost) : verifySync(passwordHash, normal)
}
