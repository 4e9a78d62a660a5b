// @vitest-environment happy-dom
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it, vi } from 'vitest'
import { type Host, runOn } from '../host.ts'
import { useOverview } from './use-overview.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const overview = { alerts: [], tasks: [], imports: [], unsent: 0, trouble: null }

function Screen() {
  useOverview()
  return null
}

it('asks nothing more after its screen was left during a request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const answers: (() => void)[] = []
  const asked = vi.fn(() => new Promise((resolve) => answers.push(() => resolve(overview))))
  runOn({ send: asked, watch: () => () => {} } as unknown as Host)
  const root = document.body.appendChild(document.createElement('div'))
  await act(() => render(<Screen />, root))
  answers.shift()!()
  await vi.waitUntil(() => answers.length === 1, { timeout: 300_000 })
  await act(() => render(null, root))
  answers.shift()!()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveBeenCalledTimes(2)
  root.remove()
})
