import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { HttpProblem } from '#server/infra/errors.ts'
import { NewPassword } from '#shared/contract/accounts.ts'
import { createPasswordHasher } from './hasher.ts'
import { refuseWeakPassword } from './policy.ts'
import { createSuspicion, type Suspect } from './suspicion.ts'

const isAllowed = (password: string) => NewPassword.safeParse(password).success

describe('the rules of a password (5.8, d4)', () => {
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
  it('the own address or its name is refused', () => {
    expect(() => refuseWeakPassword('Ada.1842@example.com', 'password', 'ada.1842@example.com')).toThrow('email')
    expect(() => refuseWeakPassword('ada.1842', 'password', 'ada.1842@example.com')).toThrow('email')
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

  it('without a hash costs one too, and is false', async () => {
    const hasher = createPasswordHasher()
    expect(await hasher.verify(null, 'x'.repeat(2000))).toBe(false)
    expect(await hasher.verify(null, 'paper lantern 42')).toBe(false)
  })

  it('bounds what runs and what waits; more is 503 with Retry-After at once', async () => {
    const hasher = createPasswordHasher({ concurrency: 1, maxWaiting: 4 })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => hasher.verify(null, 'x')))
    const refused = results.filter((result) => result.status === 'rejected')
    // One at work, one behind it, four in the line.
    expect(refused).toHaveLength(14)
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    }
  })

  it('whoever failed least comes first, and whoever failed most makes room', async () => {
    const hasher = createPasswordHasher({ concurrency: 1, maxWaiting: 3 })
    const order: string[] = []
    const attack = { address: '6.6.6.6', isKnown: false }
    for (let round = 0; round < 3; round++) await hasher.verify(null, 'x', attack)
    const run = (name: string, suspect: Suspect) =>
      hasher.verify(null, 'x', suspect).then(
        () => order.push(name),
        () => order.push(`${name} refused`),
      )
    await Promise.all([
      run('running', attack),
      run('handed out', attack),
      run('attack 1', attack),
      run('attack 2', attack),
      run('attack 3', attack),
      run('honest 1', { address: '1.1.1.1', isKnown: false }),
      run('known', { address: '6.6.6.6', isKnown: true }),
    ])
    expect(order.slice(0, 2).sort()).toEqual(['attack 2 refused', 'attack 3 refused'])
    expect(order.slice(2)).toEqual(['running', 'handed out', 'known', 'honest 1', 'attack 1'])
  })

  it('one at a time, and none handed out behind it, while requests without a hash come in; everything goes on', async () => {
    let atWork = 0
    let most = 0
    let others = 0
    const hash = async () => {
      for (let n = 0; n < others; n++) hasher.noteRequest()
      most = Math.max(most, ++atWork)
      await new Promise((resolve) => setTimeout(resolve, 5))
      atWork--
      return 'hashed'
    }
    const hasher = createPasswordHasher({ concurrency: 2, threads: { hash, verify: async () => true } })
    const run = () => Promise.all(Array.from({ length: 12 }, () => hasher.hash('x')))
    expect(await run()).toHaveLength(12)
    expect(most).toBe(4)
    // They go on coming in, however long the hashes take.
    others = 500
    for (let n = 0; n < others; n++) hasher.noteRequest()
    most = 0
    expect(await run()).toHaveLength(12)
    expect(most).toBe(1)
  })

  it('rests longer after strangers in a flood, and who is known need not wait for that', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const workMs = 10
    let beganMs = 0
    const started: [string, number][] = []
    const verify = async (_hash: string, password: string) => {
      started.push([password, Date.now() - beganMs])
      for (let n = 0; n < 100; n++) hasher.noteRequest()
      await new Promise((resolve) => setTimeout(resolve, workMs))
      return false
    }
    const hasher = createPasswordHasher({ concurrency: 2, maxWaiting: 2, threads: { hash: async () => '', verify } })
    for (let n = 0; n < 100; n++) hasher.noteRequest()
    const run = (name: string, isKnown = false) =>
      void hasher.verify(null, name, { address: `${name} ${beganMs}`, isKnown }).catch(() => undefined)
    const startsWith = async (knownAtMs: number | null) => {
      started.length = 0
      beganMs = Date.now()
      for (const name of ['first', 'second', 'third']) run(name)
      if (knownAtMs !== null) {
        await vi.advanceTimersByTimeAsync(knownAtMs)
        run('known', true)
      }
      await vi.advanceTimersByTimeAsync(200)
      return Object.fromEntries(started)
    }
    // Two wait, as many as may: the first rests three times; one waits after that, so the second rests once.
    expect(await startsWith(null)).toEqual({ first: 0, second: 40, third: 60 })
    // Who is known waits for one rest at most; the third makes room where the line is full.
    expect(await startsWith(15)).toEqual({ first: 0, known: 20, second: 40 })
    expect(await startsWith(25)).toEqual({ first: 0, known: 25, second: 45, third: 65 })
  })

  it('says beforehand whom it would refuse, and how much time there is to spare', async () => {
    const hasher = createPasswordHasher({ concurrency: 1, maxWaiting: 2 })
    const stranger = { address: '6.6.6.6', isKnown: false }
    const known = { address: '6.6.6.6', isKnown: true }
    const asked = () => [hasher.isFull(), hasher.spareMs()]
    const run = () => hasher.verify(null, 'x', stranger).catch((error: unknown) => error)
    expect(asked()).toEqual([false, 0])
    const all = [run(), run()]
    expect(asked()).toEqual([false, 0])
    all.push(run())
    expect(asked()).toEqual([false, 20])
    hasher.refuseIfFull(stranger)
    all.push(run())
    expect(asked()).toEqual([true, 60])
    expect(() => hasher.refuseIfFull(stranger)).toThrow(expect.objectContaining({ status: 503 }))
    expect(() => hasher.refuseIfFull(known)).not.toThrow()
    all.push(run())
    expect(await Promise.all(all)).toEqual([false, false, false, false, expect.objectContaining({ status: 503 })])
    expect(asked()).toEqual([false, 0])
  })
})

describe('suspicion', () => {
  it('ranks a known network first, then the blameless, then by failures; it forgets', () => {
    let nowMs = 0
    const suspicion = createSuspicion(() => nowMs)
    const stranger = { address: '6.6.6.6', isKnown: false }
    expect(suspicion.rank({ address: '1.1.1.1', isKnown: true })).toBe(0)
    expect(suspicion.rank(stranger)).toBe(1)
    for (let round = 0; round < 5; round++) suspicion.note(stranger, false)
    expect(suspicion.rank(stranger)).toBe(6)
    expect(suspicion.rank({ ...stranger, isKnown: true })).toBe(0)
    nowMs = 16 * 60_000
    expect(suspicion.rank(stranger)).toBe(1)
    suspicion.note(stranger, false)
    suspicion.note(stranger, true)
    expect(suspicion.rank(stranger)).toBe(1)
  })
})
