import { describe, expect, it } from 'vitest'
import { parseServerAddress, permissionPattern } from './server-address.ts'

describe('parseServerAddress', () => {
  it.each([
    ['hapax.example', 'https://hapax.example'],
    [' https://Hapax.example/path?x#y ', 'https://hapax.example'],
    ['hapax.example:8443', 'https://hapax.example:8443'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('parses %s as %s', (typed, origin) => {
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
  ])('rejects %j', (typed) => {
    expect(parseServerAddress(typed)).toBeNull()
  })

  it('permits only the server’s host', () => {
    expect(permissionPattern('https://hapax.example:8443')).toBe('https://hapax.example/*')
    expect(permissionPattern('http://127.0.0.1:8080')).toBe('http://127.0.0.1/*')
  })
})
