import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { News } from '#extension/messaging/news.ts'
import { host } from '../host.ts'

/** Delay before reconnecting to the worker, in ms. */
const againMs = 1_000

type Listener = (news: News) => void

const listeners = new Set<Listener>()
/** Whether the server is pushing changes right now. */
const live = { current: false }
let line: { hangUp: () => void } | null = null

/**
 * Calls `onNews` when the server reports a change. The page shares one port, open only while visible, so the worker may
 * sleep otherwise.
 */
export function useLive(onNews: Listener): RefObject<boolean> & { current: boolean } {
  const latest = useRef(onNews)
  latest.current = onNews
  useEffect(() => {
    const listener: Listener = (news) => latest.current(news)
    listeners.add(listener)
    line ??= dial()
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      line?.hangUp()
      line = null
    }
  }, [])
  return live
}

function dial(): { hangUp: () => void } {
  let stop: (() => void) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    clearTimeout(timer)
    if (stop || document.visibilityState !== 'visible') return
    const stopThis = host().watch(
      (news) => {
        live.current = news.live
        for (const listener of listeners) listener(news)
      },
      () => {
        // Browsers end idle workers. Connecting again wakes one.
        if (stop !== stopThis) return
        disconnect()
        timer = setTimeout(connect, againMs)
      },
    )
    stop = stopThis
  }
  const disconnect = () => {
    clearTimeout(timer)
    stop?.()
    stop = null
    live.current = false
  }
  const look = () => (document.visibilityState === 'visible' ? connect() : disconnect())
  document.addEventListener('visibilitychange', look)
  connect()
  return {
    hangUp() {
      document.removeEventListener('visibilitychange', look)
      disconnect()
    },
  }
}
