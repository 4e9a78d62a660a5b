import { describe, expect, it } from 'vitest'
import { parseServerAddress, permissionPattern } from './server-address.ts'

describe('the address of a server', () => {
  it.each([
    ['hapax.example', 'https://hapax.example'],
    [' https://Hapax.example/path?x#y ', 'https://hapax.example'],
    ['hapax.example:8443', 'https://hapax.example:8443'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('%s is understood as %s', (typed, origin) => {
    expect(parseServerAddress(typed)).toBe(origin)
  })

  it.each([
    'not a url',
    '',
    '  ',
    'http://hapax.example',
    'http://127.0.0.1.evil.test',
    'ftp://hapax.example',
    'https://user:secret@hapax.example',
    'javascript:alert(1)',
    'https://',
  ])('%j is none: it is no address, hides a password, or would send the key in clear', (typed) => {
    expect(parseServerAddress(typed)).toBeNull()
  })

  it('needs access to its host only', () => {
    expect(permissionPattern('https://hapax.example:8443')).toBe('https://hapax.example/*')
    expect(permissionPattern('http://127.0.0.1:8080')).toBe('http://127.0.0.1/*')
  })
})
