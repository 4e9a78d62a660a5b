import { requestText, runLoad } from './load.ts'
import { median, setStage } from './stage.ts'

/**
 * Validating a bearer token and an API key, with limits, usage, log and contract, beside a bare Koa handler doing the
 * same indexed lookup in the same database. Wanted: at least 80 % of the bare one's requests a second.
 */
const stage = await setStage(2_000)
let failed = false
try {
  const servers = { bare: await stage.serve('bare'), hapax: await stage.serve('hapax') }
  for (const [name, path, headersOf] of [
    ['bearer token', '/api/auth/validate/', (index: number) => stage.accounts[index]!.bearer],
    ['API key', '/key/', (index: number) => stage.accounts[index]!.key],
  ] as const) {
    const requests = stage.accounts.map((_, index) => requestText('GET', path, { ...headersOf(index) }))
    let turn = 0
    const next = () => requests[turn++ % requests.length] as string
    const perSecond: Record<'bare' | 'hapax', number[]> = { bare: [], hapax: [] }
    for (const connections of [1, 64]) {
      for (let round = 0; round < 13; round++) {
        for (const kind of round % 2 ? (['hapax', 'bare'] as const) : (['bare', 'hapax'] as const)) {
          const seconds = round === 0 ? 2 : 1
          const result = await runLoad({ port: servers[kind].port, connections, seconds, next })
          if (Object.keys(result.statuses).join() !== '200')
            throw new Error(`${kind}: ${JSON.stringify(result.statuses)}`)
          // The first round warms up.
          if (round > 0) perSecond[kind].push(result.perSecond)
        }
      }
      const [ours, theirs] = [median(perSecond.hapax), median(perSecond.bare)]
      const share = ours / theirs
      if (share < 0.8) failed = true
      console.log(
        `${name}, ${connections} connection${connections > 1 ? 's' : ''}: ${ours.toFixed(0)} requests/s, bare handler ${theirs.toFixed(0)}/s: ${(share * 100).toFixed(0)} % (wanted: 80 %)${share < 0.8 ? '  MISSED' : ''}`,
      )
      perSecond.bare = []
      perSecond.hapax = []
    }
  }
} finally {
  await stage.close()
}
process.exit(failed ? 1 : 0)
