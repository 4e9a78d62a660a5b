import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#server/config.ts'
import { commandSecretKey, sandboxSecretKey } from './sandbox-secret-key.ts'

it('gives commands beside npm start its key, and no others', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'hapax-key-'))
  onTestFinished(() => rm(DATA_DIR, { recursive: true }))
  const key = (more: Record<string, string> = {}) => commandSecretKey(readConfig({ DATA_DIR, ...more }))
  await expect(key()).rejects.toThrow('SECRET_KEY is needed')
  const kept = await sandboxSecretKey(readConfig({ DATA_DIR, SANDBOX: 'on' }))
  expect(await key()).toBe(kept)
  await expect(key({ DATABASE_URL: 'postgres://elsewhere/hapax' })).rejects.toThrow('SECRET_KEY is needed')
  const own = Buffer.alloc(32, 1).toString('base64')
  expect(await key({ SECRET_KEY: own })).toBe(own)
})
