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
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const load = useCallback(async (fresh: boolean) => {
    try {
      const value = await send('popup.overview', { fresh })
      setState({ state: 'ready', value })
      return value.imports.some((row) => moving.has(row.phase)) || value.unsent > 0
    } catch (error) {
      setState((before) => (before.state === 'ready' ? before : { state: 'failed', message: errorText(error) }))
      return false
    }
  }, [])
  const refresh = useCallback(async () => {
    clearTimeout(timer.current)
    const busy = await load(true)
    // Whoever asked last decides when it is asked next: what was just begun is followed closely at once.
    clearTimeout(timer.current)
    timer.current = setTimeout(refresh, busy ? busyMs : idleMs)
  }, [load])

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && refresh()
    void load(false).then(refresh)
    addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer.current)
      removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [load, refresh])

  return { ...state, refresh }
}

const moving = new Set(['reading', 'sending', 'working'])
