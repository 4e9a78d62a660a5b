import { describe, expect, it } from 'vitest'
import { pictureAddress } from './picture-address.ts'

const sandbox = 'http://127.0.0.1:8081/images/1/1.png'

describe('a picture address', () => {
  it('refuses this machine and unsafe hosts for a remote server', () => {
    const asked = [sandbox, 'http://localhost/admin', 'http://evil.test/1.png', 'javascript:alert(1)', 'data:,x', '']
    expect(asked.map((address) => pictureAddress(address, false))).toEqual(asked.map(() => null))
    expect(pictureAddress('https://i.ebayimg.com/1.jpg', false)).toBe('https://i.ebayimg.com/1.jpg')
  })

  it('accepts this machine when the server runs here', () => {
    expect(pictureAddress(sandbox, true)).toBe(sandbox)
    const still = ['http://evil.test/1.png', 'http://192.168.0.1/1.png', 'javascript:alert(1)']
    expect(still.map((address) => pictureAddress(address, true))).toEqual([null, null, null])
  })
})
