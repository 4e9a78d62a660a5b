import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import browser from 'webextension-polyfill'
import { livePort, News } from '#extension/messaging/news.ts'

/** How soon a page calls the worker again that let it go, in milliseconds. */
const againMs = 1_000

type Listener = (news: News) => void

const listeners = new Set<Listener>()
/** Whether the server tells of changes by itself just now. */
const live = { current: false }
let line: { hangUp: () => void } | null = null

/**
 * Calls `onNews` when the worker hears from the server that something changed. One line to the worker for the whole page,
 * and only while the page is seen: the worker listens to the server as long as anybody listens to it.
 */
export function useLive(onNews: Listener): RefObject<boolean> & { current: boolean } {
  const latest = useRef(onNews)
  latest.current = onNews
  useEffect(() => {
    const listener: Listener = (news) => latest.current(news)
    listeners.add(listener)
    line ??= call()
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      line?.hangUp()
      line = null
    }
  }, [])
  return live
}

function call(): { hangUp: () => void } {
  let port: browser.Runtime.Port | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    clearTimeout(timer)
    if (port || document.visibilityState !== 'visible') return
    const opened = browser.runtime.connect({ name: livePort })
    port = opened
    opened.onMessage.addListener((message: unknown) => {
      const news = News.parse(message)
      live.current = news.live
      for (const listener of listeners) listener(news)
    })
    // The worker was ended, as browsers do: calling wakes another one.
    opened.onDisconnect.addListener(() => {
      if (port !== opened) return
      disconnect()
      timer = setTimeout(connect, againMs)
    })
  }
  const disconnect = () => {
    clearTimeout(timer)
    port?.disconnect()
    port = null
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
