import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { send } from '../../messages/send.ts'
import type { Overview } from '../../overview/overview.ts'
import { errorText } from './error-text.ts'

/** How often the server is asked, in milliseconds: while something moves, and while nothing does. */
const busyMs = 1_500
const idleMs = 10_000

export type OverviewState =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'ready'; value: Overview }

/** The overview: at once as it is known here, then as the server says, again and again while the popup is open. */
export function useOverview(): OverviewState & { refresh: () => Promise<void> } {
  const [state, setState] = useState<OverviewState>({ state: 'loading' })
  const busy = useRef(false)
  const load = useCallback(async (fresh: boolean) => {
    try {
      const value = await send('popup.overview', { fresh })
      busy.current = value.imports.some((row) => moving.has(row.phase)) || value.unsent > 0
      setState({ state: 'ready', value })
    } catch (error) {
      setState((before) => (before.state === 'ready' ? before : { state: 'failed', message: errorText(error) }))
    }
  }, [])
  const refresh = useCallback(() => load(true), [load])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let closed = false
    const turn = async () => {
      await load(true)
      if (!closed) timer = setTimeout(turn, busy.current ? busyMs : idleMs)
    }
    void load(false).then(turn)
    addEventListener('online', refresh)
    return () => {
      closed = true
      clearTimeout(timer)
      removeEventListener('online', refresh)
    }
  }, [load, refresh])

  return { ...state, refresh }
}

const moving = new Set(['reading', 'sending', 'working'])
