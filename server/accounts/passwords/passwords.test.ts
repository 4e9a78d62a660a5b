import { describe, expect, it } from 'vitest'
import { heldPasswords } from '#e2e/harness/held-passwords.ts'
import { until } from '#e2e/harness/until.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { NewPassword } from '#shared/contract/account/accounts.ts'
import type { HashPriority } from './hash-queue.ts'
import { createPasswordHasher } from './hasher.ts'
import { refuseWeakPassword } from './policy.ts'

const isAllowed = (password: string) => NewPassword.safeParse(password).success

describe('the rules of a password', () => {
  it.each([
    'abcdefg1',
    'a1'.repeat(64),
    ' a1 b2 c3 ',
    'пароль12',
    '🙂🙂🙂🙂🙂🙂a1',
    '密码密码密码密1',
    `${'🙂'.repeat(126)}a1`,
  ])('%s is allowed', (password) => {
    expect(isAllowed(password)).toBe(true)
  })
  it.each(['', 'abcdef1', 'abcdefgh', '12345678', '🙂🙂🙂🙂a1', `${'a1'.repeat(64)}x`, `${'🙂'.repeat(127)}a1`])(
    '%s is not',
    (password) => {
      expect(isAllowed(password)).toBe(false)
    },
  )

  it.each([
    'Password1',
    'password123',
    'qwerty123',
    'iloveyou1',
    'abc12345',
    '1q2w3e4r',
    'PASSW0RD',
    'letmein1',
    'welcome1',
    'trustno1',
  ])('%s is tried first, and refused', (password) => {
    expect(() => refuseWeakPassword(password, 'password', null)).toThrow(HttpProblem)
  })
  it.each(['Hapax2026', 'ebay-1234', 'EtsyEtsy99', '12poshmark34', 'hapax ebay 1'])(
    '%s names this service',
    (password) => {
      expect(() => refuseWeakPassword(password, 'password', null)).toThrow('name')
    },
  )
  it('a common one is refused in any Unicode form', () => {
    expect(() => refuseWeakPassword('ｐassword123', 'password', null)).toThrow(HttpProblem)
  })
  it('the own address or its name is refused', () => {
    expect(() => refuseWeakPassword('Ada.1842@example.com', 'password', 'ada.1842@example.com')).toThrow('email')
    expect(() => refuseWeakPassword('ada.1842', 'password', 'ada.1842@example.com')).toThrow('email')
    for (const password of ['vera1234', '1234Vera!', 'Vera-Lind-2026', 'example2026', 'veraVERA99']) {
      expect(() => refuseWeakPassword(password, 'password', 'Vera.Lind@example.com')).toThrow('email')
    }
    expect(() => refuseWeakPassword('veranda 1842', 'password', 'vera@example.com')).not.toThrow()
    expect(() => refuseWeakPassword('paper lantern 42', 'password', 'ada.1842@example.com')).not.toThrow()
  })
})

describe('hashing', () => {
  it('keeps every byte: the 73rd matters, and so does a space', async () => {
    const hasher = createPasswordHasher()
    const hash = await hasher.hash(`${'a'.repeat(72)}b`)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await hasher.verify(hash, `${'a'.repeat(72)}b`)).toBe(true)
    expect(await hasher.verify(hash, `${'a'.repeat(72)}c`)).toBe(false)
    expect(await hasher.verify(hash, `${'a'.repeat(72)}b `)).toBe(false)
  })

  it('takes the same characters in any Unicode form', async () => {
    const hasher = createPasswordHasher()
    const hash = await hasher.hash('Zu\u0308rich 1848')
    for (const typed of ['Z\u00fcrich 1848', 'Zu\u0308rich 1848', 'Z\u00fcrich\u00a01848', 'Ｚ\u00fcrich 1848'])
      expect(await hasher.verify(hash, typed)).toBe(true)
    expect(await hasher.verify(hash, 'Zurich 1848')).toBe(false)
  })

  it('without a hash costs one too, and is false', async () => {
    const hasher = createPasswordHasher()
    expect(await hasher.verify(null, 'x'.repeat(2000))).toBe(false)
    expect(await hasher.verify(null, 'paper lantern 42')).toBe(false)
  })

  it('refuses with 503 and Retry-After once the queue is full', async () => {
    const { passwords, hold, release } = await heldPasswords(4)
    hold()
    const results = Array.from({ length: 20 }, () => passwords.verify(null, 'x'))
    expect(passwords.isFull()).toBe(true)
    // One is with the thread, four wait.
    const refused = await Promise.allSettled(results.slice(5))
    for (const result of refused) {
      expect(result).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '2' } } })
    }
    release()
    expect(await Promise.all(results.slice(0, 5))).toEqual(Array(5).fill(false))
    expect(passwords.isFull()).toBe(false)
  })

  it('serves known clients first, and keeps places for them', async () => {
    const { passwords, hold, release } = await heldPasswords(2)
    hold()
    const order: string[] = []
    const run = (name: string, priority: HashPriority) =>
      passwords.verify(null, 'x', priority).then(
        () => order.push(name),
        () => order.push(`${name} refused`),
      )
    const all = [
      run('running', 'unknown'),
      run('stranger 1', 'unknown'),
      run('stranger 2', 'unknown'),
      run('stranger 3', 'unknown'),
      run('known 1', 'known'),
      run('known 2', 'known'),
      run('known 3', 'known'),
    ]
    await until(() => order.length === 2)
    release()
    await Promise.all(all)
    expect(order).toEqual([
      ...['stranger 3 refused', 'known 3 refused', 'running', 'known 1', 'known 2', 'stranger 1', 'stranger 2'],
    ])
  })
})
