import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { type LoadResult, requestText, runLoad, runOnce, runPaced } from './load.ts'
import { startOthers } from './others.ts'
import { benchPassword, median, setStage } from './stage.ts'

/**
 * Compares sign-ins with the bare hash (argon2id, 19 MiB), and measures what they do to `validate`, which hashes nothing:
 * alone, beside honest sign-ins, and under 200 bad sign-ins a second from 2,000 addresses.
 */
const rounds = 5
const secondsEach = 5
const mostTimesQuiet = 3
const stage = await setStage(500)
const [flood, honest] = [startOthers(), startOthers()]
let missed = false
try {
  const { port } = await stage.serve('hapax')
  let address = 0
  const nextAddress = () => `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
  const signIn = (email: string, password: string, from = nextAddress()) =>
    requestText('POST', '/api/auth/login/', { 'x-forwarded-for': from }, { email, password })
  let turn = 0
  const account = () => stage.accounts[turn++ % stage.accounts.length]!
  const honestSignIn = () => signIn(account().email, benchPassword)
  const validate = () => requestText('GET', '/api/auth/validate/', { ...account().bearer })

  const { password_hash } = await stage.db.one('select password_hash from app_user limit 1')
  async function bareHashesPerSecond(seconds: number): Promise<number> {
    const endMs = performance.now() + seconds * 1000
    let count = 0
    const hashUntilTheEnd = async () => {
      for (; performance.now() < endMs; count++) await verify(password_hash, benchPassword)
    }
    await Promise.all(Array.from({ length: availableParallelism() }, hashUntilTheEnd))
    return count / seconds
  }

  await runLoad({ port, connections: 8, seconds: 2, next: honestSignIn })
  const [signIns, bareHashes]: number[][] = [[], []]
  for (let round = 0; round < 3; round++) {
    bareHashes!.push(await bareHashesPerSecond(3))
    signIns!.push((await runLoad({ port, connections: 8, seconds: 3, next: honestSignIn })).perSecond)
  }
  const share = Math.round((100 * median(signIns!)) / median(bareHashes!))
  console.log(`sign-in: ${median(signIns!).toFixed(1)}/s, ${share} % of the bare hash on all processors`)

  const validateLoad = { port, seconds: secondsEach, perSecond: 100, next: validate }
  let bad = 0
  /** Half of the bad sign-ins guess at one account, the others at known and unknown ones. */
  const badSignIns = (target: string) => {
    const attack = () => {
      const emails = [target, account().email, target, `nobody-${bad}@example.com`]
      return signIn(emails[bad++ % 4]!, 'wrong lantern 1', `172.16.${(bad >> 8) % 8}.${bad & 255}`)
    }
    const requests = Array.from({ length: 200 * secondsEach }, attack)
    return { port, seconds: secondsEach, perSecond: 200, requests }
  }
  // Warm up each load, so that no phase pays for compiling.
  await runPaced(validateLoad)
  await flood.run(badSignIns('nobody@example.com'))

  const p99s: Record<'quiet' | 'busy' | 'flooded', number[]> = { quiet: [], busy: [], flooded: [] }
  const statuses: Record<'honest' | 'bad', Record<string, number>> = { honest: {}, bad: {} }
  const addStatuses = (kind: keyof typeof statuses, result: LoadResult) => {
    for (const [status, count] of Object.entries(result.statuses)) {
      statuses[kind][status] = (statuses[kind][status] ?? 0) + count
    }
  }
  for (let round = 0; round < rounds; round++) {
    p99s.quiet.push((await runPaced(validateLoad)).p99Ms)

    const honestLoad = {
      port,
      seconds: secondsEach,
      connections: 8,
      requests: Array.from({ length: 2_000 }, honestSignIn),
    }
    const [busy] = await Promise.all([runPaced(validateLoad), honest.run(honestLoad)])
    p99s.busy.push(busy.p99Ms)

    // Honest sellers come from a network where they signed in before. The flood guesses at one of their accounts.
    const target = stage.accounts.at(-1 - round)!.email
    const known = [stage.accounts[0]!.email, stage.accounts[1]!.email, target]
    const requests = known.map((email) => signIn(email, benchPassword, `192.168.${round}.1`))
    for (const request of requests) await runOnce(port, request)
    const [flooded, attack, good] = await Promise.all([
      runPaced(validateLoad),
      flood.run(badSignIns(target)),
      honest.run({ port, seconds: secondsEach, perSecond: 3, requests }),
    ])
    p99s.flooded.push(flooded.p99Ms)
    addStatuses('bad', attack)
    addStatuses('honest', good)
  }

  const quietMs = median(p99s.quiet)
  console.log(`validate alone: p99 ${quietMs.toFixed(2)} ms`)
  for (const [name, times] of [
    ['beside honest sign-ins', p99s.busy],
    ['under 200 bad sign-ins a second', p99s.flooded],
  ] as const) {
    const ratio = median(times) / quietMs
    missed ||= ratio > mostTimesQuiet
    console.log(
      `validate ${name}: p99 ${median(times).toFixed(2)} ms, ${ratio.toFixed(2)} times (wanted: ${mostTimesQuiet})`,
    )
  }
  missed ||= Object.keys(statuses.honest).join() !== '200'
  console.log(`answers to honest sign-ins under the flood: ${JSON.stringify(statuses.honest)}`)
  console.log(`answers to bad ones: ${JSON.stringify(statuses.bad)}`)
} finally {
  flood.close()
  honest.close()
  await stage.close()
}
process.exit(missed ? 1 : 0)
