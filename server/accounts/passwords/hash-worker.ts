import { hashSync, verifySync } from '@node-rs/argon2'

export interface HashTask {
  password: string
  /** The hash to verify the password against; absent to hash it. */
  passwordHash?: string
}

/** argon2id, the library's default, with OWASP's first choice: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Runs on a thread of the pool: hashes a password, or verifies it. */
export default function run({ password, passwordHash }: HashTask): string | boolean {
  return passwordHash === undefined ? hashSync(password, cost) : verifySync(passwordHash, password)
}
