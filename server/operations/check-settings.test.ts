import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { checkSettings, describeSettings } from './check-settings.ts'

const good = {
  PUBLIC_URL: 'https://hapax.example.com',
  DATABASE_URL: 'postgres://hapax:hidden@db.example.com/hapax',
  SMTP_URL: 'smtps://hapax:hidden@mail.example.com',
  MAIL_FROM: 'Hapax <no-reply@example.com>',
}
const check = (environment: Record<string, string | undefined>) => checkSettings(environment, readConfig(environment))

describe('outside of the sandbox', () => {
  it.each<[string, Record<string, string | undefined>]>([
    ['DATABASE_URL', { DATABASE_URL: 'foo' }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'foo' }],
    ['SMTP_URL', { SMTP_URL: undefined }],
    ['SMTP_URL', { SMTP_URL: 'nonsense' }],
    ['MAIL_FROM', { MAIL_FROM: 'nobody' }],
    ['MAIL_FROM', { MAIL_FROM: undefined }],
    ['EBAY_CLIENT_SECRET', { EBAY_CLIENT_ID: 'id', EBAY_RU_NAME: 'name', EBAY_CLIENT_SECRET: '' }],
    [
      'APPLE_PRIVATE_KEY',
      { APPLE_CLIENT_ID: 'i', APPLE_TEAM_ID: 't', APPLE_KEY_ID: 'k', APPLE_PRIVATE_KEY: 'garbage' },
    ],
    ['SMS_COUNTRIES', { SMS_COUNTRIES: 'US' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://hapax.example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: undefined, HOST: '0.0.0.0' }],
    ['PUBLIC_URL', { PUBLIC_URL: undefined, ROLE: 'worker' }],
    ['PUBLIC_URL', { PUBLIC_URL: '', ROLE: 'api' }],
    ['DATBASE_URL', { DATBASE_URL: 'postgres://db.example.com/hapax' }],
  ])('refuses to start, naming %s: %o', (name, given) => {
    expect(() => check({ ...good, ...given })).toThrow(
      new RegExp(`^These settings cannot work with SANDBOX=off:\n {2}${name}: .+$`),
    )
  })

  it('starts on this machine alone without an address, with mail that stays here', () => {
    expect(() => check({ SMTP_URL: 'smtp://127.0.0.1:2525', ROLE: 'worker' })).not.toThrow()
    expect(() => check({ ROLE: 'worker' })).not.toThrow()
  })

  it('starts with the required settings and unrelated variables', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const apple = { APPLE_CLIENT_ID: 'i', APPLE_TEAM_ID: 't', APPLE_KEY_ID: 'k', APPLE_PRIVATE_KEY: pem }
    expect(() => check({ ...good, ...apple, HOSTNAME: 'x', LOGNAME: 'x', NODE_COMPILE_CACHE: 'x' })).not.toThrow()
  })

  it('shows what is configured, and no secret', () => {
    const shown = JSON.stringify(describeSettings(readConfig(good)))
    expect(shown).toContain('"mail":true')
    expect(shown).not.toContain('hidden')
  })
})
