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
const key = Buffer.alloc(32, 1).toString('base64')
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const apple = { APPLE_CLIENT_ID: 'i', APPLE_TEAM_ID: 't', APPLE_KEY_ID: 'k', APPLE_PRIVATE_KEY: pem }
const twilio = {
  TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+14155550100',
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
    ['DATABASE_URL', { DATABASE_URL: 'postgres://hapax:12/x@db.example.com/hapax' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://hapax:12#x@db.example.com/hapax' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://hapax:12?x@db.example.com/hapax' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://hapax:a%zz@db.example.com/hapax' }],
    ['SMTP_URL', { SMTP_URL: 'smtps://hapax:1/2@mail.example.com' }],
    ['SMTP_URL', { SMTP_URL: 'smtps://hapax@mail.example.com' }],
    ['MAIL_FROM', { MAIL_FROM: 'Hapax no-reply@example.com' }],
    ['MAIL_FROM', { MAIL_FROM: 'Doe, Jane <no-reply@example.com>' }],
    ['MAIL_FROM', { MAIL_FROM: 'a@example.com, b@example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://0.0.0.0' }],
    ['EBAY_RU_NAME', { EBAY_CLIENT_ID: 'id', EBAY_CLIENT_SECRET: 'secret' }],
    ['EBAY_CLIENT_ID', { EBAY_CLIENT_SECRET: 'secret', EBAY_RU_NAME: 'name' }],
    ['ETSY_CLIENT_SECRET', { ETSY_CLIENT_ID: 'id' }],
    ['ETSY_CLIENT_ID', { ETSY_CLIENT_SECRET: 'secret' }],
    ['ETSY_CLIENT_ID', { ETSY_WEBHOOK_SECRET: 'secret' }],
    ['APPLE_CLIENT_ID or APPLE_SERVICES_ID', { ...apple, APPLE_CLIENT_ID: undefined }],
    ['APPLE_TEAM_ID', { APPLE_CLIENT_ID: 'i' }],
    ['APPLE_TEAM_ID', { APPLE_SERVICES_ID: 'i' }],
    ['APPLE_SERVICES_ID', { APPLE_REDIRECT_URI: 'https://hapax.example.com/back' }],
    ['TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID', { ...twilio, TWILIO_FROM: undefined }],
    ['TWILIO_ACCOUNT_SID', { TWILIO_FROM: '+14155550100' }],
    ['TWILIO_ACCOUNT_SID', { ...twilio, TWILIO_ACCOUNT_SID: 'SK00000000000000000000000000000000' }],
    ['TWILIO_FROM', { ...twilio, TWILIO_FROM: '4155550100' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_live_1' }],
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_WEBHOOK_SECRET: 'sk_live_1' }],
    ['S3_BUCKET_URL', { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x' }],
    ['INTERNAL_PORT', { INTERNAL_HOST: '0.0.0.0' }],
    ['SALE_MAIL_PORT', { SALE_MAIL_DOMAIN: 'in.example.com' }],
    ['SALE_MAIL_PORT', { SALE_MAIL_DOMAIN: 'in.example.com', ROLE: 'worker' }],
    ['SECRET_KEY', { SECRET_KEY_PREVIOUS: key }],
    ['SECRET_KEY_PREVIOUS', { SECRET_KEY: key, SECRET_KEY_PREVIOUS: key }],
    ['REQUEST_BODIES_MB', { REQUEST_BODIES_MB: '59' }],
    ['OTEL_EXPORTER_OTLP_HEADER', { OTEL_EXPORTER_OTLP_HEADER: 'authorization=x' }],
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

  it('starts an API process that names the domain of sale mails alone', () => {
    expect(() => check({ ...good, ROLE: 'api', SALE_MAIL_DOMAIN: 'in.example.com' })).not.toThrow()
  })

  it('starts with the required settings and unrelated variables', () => {
    expect(() => check({ ...good, ...apple, HOSTNAME: 'x', LOGNAME: 'x', NODE_COMPILE_CACHE: 'x' })).not.toThrow()
  })

  it.each<Record<string, string | undefined>>([
    { DATABASE_URL: 'postgres://hapax@database:5432/hapax' },
    { DATABASE_URL: 'postgres://hapax:a%2Fb%23c%3Fd%40e@db.example.com/hapax?sslmode=require' },
    { SMTP_URL: 'smtp://mail.example.com:25' },
    { MAIL_FROM: 'no-reply@example.com' },
    { MAIL_FROM: '"Doe, Jane" <no-reply@mail.example.com>' },
    { EBAY_VERIFICATION_TOKEN: 'x'.repeat(32) },
    { ETSY_CLIENT_ID: 'id', ETSY_CLIENT_SECRET: 'secret', ETSY_WEBHOOK_SECRET: 'whsec_secret' },
    { ...apple, APPLE_CLIENT_ID: undefined, APPLE_SERVICES_ID: 's', APPLE_REDIRECT_URI: 'https://example.com/back' },
    twilio,
    { ...twilio, TWILIO_FROM: undefined, TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}` },
    { ...twilio, TWILIO_FROM: 'Hapax' },
    { STRIPE_WEBHOOK_SECRET: 'whsec_1' },
    { STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PRICE_ID: 'price_1' },
    { S3_BUCKET_URL: 'https://s3.example.com/b', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
    { INTERNAL_HOST: '0.0.0.0', INTERNAL_PORT: '8081' },
    { REQUEST_BODIES_MB: '60' },
  ])('takes %o', (given) => {
    expect(() => check({ ...good, ...given })).not.toThrow()
  })

  it('shows what is configured, and no secret', () => {
    const shown = JSON.stringify(describeSettings(readConfig(good)))
    expect(shown).toContain('"mail":true')
    expect(shown).not.toContain('hidden')
  })
})
