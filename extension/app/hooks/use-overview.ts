import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { send } from '../host.ts'
import { useLive } from './use-live.ts'
import type { Request } from './use-request.ts'
import { useSlow } from './use-slow.ts'

/** Refresh intervals in ms: during an import, when idle, and while the server pushes changes. */
const busyMs = 1_000
const idleMs = 10_000
const liveMs = 20_000

export type OverviewState = Request<Overview>

interface OverviewActions {
  /** Shows the local overview at once and then asks the server. */
  refresh: () => Promise<void>
  /** True when the server is taking long to answer. */
  slow: boolean
}

/**
 * Returns the overview, first from local data, then from the server. Refreshes on changes and periodically while
 * visible. `hiddenMs`: the interval while hidden, null for none.
 */
export function useOverview(hiddenMs: number | null = null): OverviewState & OverviewActions {
  const [state, setState] = useState<OverviewState>({ state: 'loading' })
  const [asking, setAsking] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const again = useRef(false)
  const underWay = useRef(false)
  const isLeft = useRef(false)
  const live = useLive((news) => news.overview && void ask())

  const load = useCallback(async (fresh: boolean) => {
    try {
      const value = await send('popup.overview', { fresh })
      // Local data does not clear the server's trouble. Only its next answer does.
      const told = (before: OverviewState) =>
        before.state === 'ready' && !fresh ? before.value.trouble : value.trouble
      setState((before) => ({ state: 'ready', value: { ...value, trouble: told(before) } }))
      const tasks = (value.tasks ?? []).filter(({ kind }) => kind === 'delist')
      const alerts = value.alerts.filter(({ task_uid }) => tasks.some(({ uid }) => uid === task_uid))
      const urgent = [...alerts, ...tasks].map(({ uid }) => uid)
      if (fresh && urgent.length && document.visibilityState === 'visible') {
        await send('popup.shown', { uids: urgent.slice(0, 1_000) })
      }
      return value.imports.some((row) => moving.has(row.phase)) || value.unsent > 0
    } catch (error) {
      setState((before) => (before.state === 'ready' ? before : { state: 'failed', message: errorText(error) }))
      return false
    }
  }, [])

  /** Runs one request at a time. Calls during a request cause one more. */
  const ask = useCallback(async () => {
    again.current = true
    if (underWay.current) return
    underWay.current = true
    setAsking(true)
    let busy = false
    while (again.current && !isLeft.current) {
      again.current = false
      busy = await load(true)
    }
    underWay.current = false
    // A screen that was left during a request asks no more.
    if (isLeft.current) return
    setAsking(false)
    clearTimeout(timer.current)
    const visibleMs = busy ? busyMs : live.current ? liveMs : idleMs
    // Hidden pages of the extension ask nothing, so the worker may sleep.
    const waitMs = document.visibilityState === 'visible' ? visibleMs : hiddenMs
    if (waitMs !== null) timer.current = setTimeout(ask, waitMs)
  }, [load, live, hiddenMs])

  const refresh = useCallback(async () => {
    await load(false)
    void ask()
  }, [load, ask])

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && ask()
    isLeft.current = false
    void refresh()
    addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      isLeft.current = true
      clearTimeout(timer.current)
      removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [ask, refresh])

  return { ...state, refresh, slow: useSlow(asking) }
}

const moving = new Set(['reading', 'sending', 'working'])
