import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'

const fileOf = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>) => join(DATA_DIR, 'secret-key')

/**
 * Returns the key for a command of the operator: SECRET_KEY, or beside `npm start` the one that the sandbox keeps for its
 * embedded database. Throws where neither is there.
 */
export async function commandSecretKey(config: Config): Promise<string> {
  const isBeside = config.DATABASE_URL === undefined && existsSync(fileOf(config))
  return config.SECRET_KEY ?? (await sandboxSecretKey({ ...config, sandbox: config.sandbox || isBeside }))
}

/**
 * Returns the sandbox's own key, created at its first start and kept in DATA_DIR. Throws outside the sandbox, where the
 * operator must supply it: losing it with a data folder would lose every connection.
 */
export async function sandboxSecretKey(config: Pick<Config, 'sandbox' | 'DATA_DIR'>): Promise<string> {
  if (!config.sandbox) {
    throw new Error(
      'SECRET_KEY is needed: 32 random bytes in base64, kept outside of the database (openssl rand -base64 32).',
    )
  }
  const file = fileOf(config)
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  const key = randomBytes(32).toString('base64')
  await writeFile(file, key, { mode: 0o600 })
  return key
}
