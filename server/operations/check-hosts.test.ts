import { expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { refuseUnknownHosts, warnOfUnknownHosts } from './check-hosts.ts'

const lookup = async (host: string) => {
  if (host.endsWith('.invalid')) throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
}

it('refuses an unknown name to listen at', async () => {
  const config = readConfig({ HOST: 'nope.invalid', INTERNAL_PORT: '9090', INTERNAL_HOST: 'no.invalid' })
  await expect(refuseUnknownHosts(config, lookup)).rejects.toThrow(
    /^These settings cannot work:\n {2}HOST: is not a known name.*\n {2}INTERNAL_HOST: is not a known name.*$/,
  )
  await expect(
    refuseUnknownHosts(readConfig({ HOST: 'nope.invalid', ROLE: 'worker' }), lookup),
  ).resolves.toBeUndefined()
  await expect(refuseUnknownHosts(readConfig({ HOST: '::1' }))).resolves.toBeUndefined()
})

it('warns of unknown hosts of other settings, without their secrets', async () => {
  const environment = {
    PUBLIC_URL: 'https://hapax.invalid',
    SMTP_URL: 'smtps://user:hidden@mail.invalid:465',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
    DATABASE_URL: 'postgres://db.invalid/hapax',
  }
  expect(await warnOfUnknownHosts(environment, readConfig(environment), lookup)).toEqual([
    'PUBLIC_URL: the host hapax.invalid is not known (ENOTFOUND)',
    'SMTP_URL: the host mail.invalid is not known (ENOTFOUND)',
  ])
})
