import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'

describe('the sandbox', () => {
  const real = { SMTP_URL: 'smtp://mail.example', EBAY_CLIENT_ID: 'id', EBAY_CLIENT_SECRET: 'secret' }

  it.each([
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '::' }],
    ['HOST', { HOST: '192.168.1.4', PUBLIC_URL: 'http://127.0.0.1:8080' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://hapax.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://127.0.0.1.example' }],
    ['HOST', { HOST: '0.0.0.0', PUBLIC_URL: 'https://hapax.example', ...real }],
  ])('refuses a %s that other machines can reach: %o', (name, environment) => {
    expect(() => readConfig({ SANDBOX: 'on', ...environment })).toThrow(
      new RegExp(`^The environment is not valid:\n {2}${name}: must be a loopback address .*SANDBOX=off.*$`),
    )
  })

  it.each([
    {},
    { HOST: 'localhost' },
    { HOST: '::1' },
    { HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:8080/' },
    { PUBLIC_URL: 'http://[::1]:8080' },
  ])('starts on a loopback address: %o', (environment) => {
    expect(readConfig({ SANDBOX: 'on', ...environment }).sandbox).toBe(true)
  })
})

describe('a value that cannot work', () => {
  it.each([
    ['PUBLIC_URL', { PUBLIC_URL: 'example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://example.com/hapax' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://example.com/?shop=1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://user:hidden@example.com' }],
    ['HOST', { HOST: '127.0.0.1:8080' }],
    ['HOST', { HOST: 'http://127.0.0.1' }],
    ['INTERNAL_HOST', { INTERNAL_HOST: '[::1]' }],
    ['INTERNAL_PORT', { INTERNAL_PORT: '8080' }],
    ['INTERNAL_PORT', { PORT: '9000', INTERNAL_PORT: '9000', HOST: '10.0.0.1', INTERNAL_HOST: '0.0.0.0' }],
    ['INTERNAL_PORT', { PORT: '9000', INTERNAL_PORT: '9000', ROLE: 'api', HOST: '::' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'a' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'a token with some spaces' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'foo' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'authorization: Bearer x' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=%zz' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x,,key=' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/?key=1' }],
    ['EBAY_VERIFICATION_TOKEN', { EBAY_VERIFICATION_TOKEN: 'short' }],
    ['EBAY_VERIFICATION_TOKEN', { EBAY_VERIFICATION_TOKEN: 'x'.repeat(81) }],
    ['EBAY_VERIFICATION_TOKEN', { EBAY_VERIFICATION_TOKEN: `${'x'.repeat(40)}!` }],
    [
      'S3_BUCKET_URL',
      { S3_BUCKET_URL: 'https://s3.example.com/b?x=1', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
    ],
    ['QUOTA_ITEMS', { QUOTA_ITEMS: '99999999999' }],
    ['ORDER_POLL_SECONDS', { ORDER_POLL_SECONDS: '1e9' }],
    ['EBAY_CLIENT_ID', { EBAY_CLIENT_ID: '"quoted"' }],
    ['PUBLIC_URL', { PUBLIC_URL: "'https://example.com'" }],
  ])('of %s is refused, without showing it: %o', (name, environment) => {
    const read = () => readConfig(environment)
    expect(read).toThrow(new RegExp(`^The environment is not valid:\\n {2}${name}: .+$`))
    expect(read).not.toThrow(/hidden|quoted"/)
  })

  it('is not refused where it works', () => {
    const config = readConfig({
      PUBLIC_URL: 'HTTPS://Hapax.Example.com:443/\r',
      PORT: ' 9000\r',
      INTERNAL_PORT: '9000',
      INTERNAL_HOST: '10.0.0.1',
      METRICS_TOKEN: '   ',
      EXTENSION_CHROME_URL: 'https://store.example/item?id=1#top',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=, x-team = b',
    })
    expect(config).toMatchObject({
      PUBLIC_URL: 'https://hapax.example.com',
      PORT: 9_000,
      OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Bearer a=', 'x-team': 'b' },
    })
    expect(config.METRICS_TOKEN).toBeUndefined()
    expect(readConfig({ INTERNAL_PORT: '8080', ROLE: 'worker' }).INTERNAL_PORT).toBe(8_080)
  })
})
