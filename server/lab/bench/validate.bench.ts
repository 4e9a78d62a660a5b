import { requestText, runLoad } from './load.ts'
import { median, setStage } from './stage.ts'

/**
 * Compares the validation of a bearer token and an API key with a bare Koa handler that does the same indexed lookup.
 * Ours includes limits, usage, log and contract. Wanted: at least 80 % of the bare handler's rate with several
 * connections. Both alternate every second, so that other load affects both. On a busy machine the processor time says
 * more.
 */
const stage = await setStage(2_000)
let failed = false
const kinds = ['bare', 'hapax'] as const
try {
  const servers = { bare: await stage.serve('bare'), hapax: await stage.serve('hapax') }
  for (const [name, path, headersOf] of [
    ['bearer token', '/api/auth/validate/', (index: number) => stage.accounts[index]!.bearer],
    ['API key', '/key/', (index: number) => stage.accounts[index]!.key],
  ] as const) {
    const requests = stage.accounts.map((_, index) => requestText('GET', path, { ...headersOf(index) }))
    let turn = 0
    const next = () => requests[turn++ % requests.length] as string
    for (const connections of [64, 8, 1]) {
      const perSecond: Record<string, number[]> = { bare: [], hapax: [] }
      const cpu: Record<string, number[]> = { bare: [], hapax: [] }
      for (let round = 0; round < 14; round++) {
        for (const kind of round % 2 ? kinds : kinds.toReversed()) {
          const server = servers[kind]
          const before = await server.cpuMicroseconds()
          const result = await runLoad({ port: server.port, connections, seconds: 1, next })
          if (Object.keys(result.statuses).join() !== '200') {
            throw new Error(`${kind}: ${JSON.stringify(result.statuses)}`)
          }
          // The first rounds warm up.
          if (round < 3) continue
          perSecond[kind]!.push(result.perSecond)
          cpu[kind]!.push(((await server.cpuMicroseconds()) - before) / result.perSecond)
        }
      }
      const [ours, theirs] = [median(perSecond.hapax!), median(perSecond.bare!)]
      const share = ours / theirs
      const isChecked = connections > 1
      if (isChecked && share < 0.8) failed = true
      console.log(
        `${name}, ${connections} connection${connections > 1 ? 's' : ''}: ${ours.toFixed(0)} requests/s, bare handler ` +
          `${theirs.toFixed(0)}/s: ${(share * 100).toFixed(0)} %${isChecked ? ` (wanted: 80 %)${share < 0.8 ? '  MISSED' : ''}` : ''}; ` +
          `processor time a request ${median(cpu.hapax!).toFixed(0)} µs, bare ${median(cpu.bare!).toFixed(0)} µs`,
      )
    }
  }
} finally {
  await stage.close()
}
process.exit(failed ? 1 : 0)
