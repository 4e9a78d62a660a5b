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
