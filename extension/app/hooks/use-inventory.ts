import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { WireError } from '#extension/messaging/wire-error.ts'
import { type InventoryCache, readRows, wasSynced } from '#extension/storage/inventory-cache/database.ts'
import { openInventoryCache } from '#extension/storage/inventory-cache/open.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { MessageError, send } from '../host.ts'
import { useLive } from './use-live.ts'
import { useSlow } from './use-slow.ts'

/** The inventory as this browser knows it. `rows` is null until the first read. */
export interface InventoryView {
  rows: InventoryRow[] | null
  /** True once a full sync has finished. */
  complete: boolean
  /** True once a sync of this screen has ended: until then more may have been added elsewhere. */
  fresh: boolean
  syncing: boolean
  /** How many items the server has, where it has said so. */
  total: number | null
  trouble: WireError | null
  /** True when the server is taking long to answer. */
  slow: boolean
}

/** Refresh intervals of a visible page in ms. Live updates need only a safety net. */
const againMs = 30_000
const liveMs = 60_000

let inventory: Promise<InventoryCache> | null = null

/**
 * Returns all rows of the inventory cache and keeps them fresh. The service worker syncs; this hook only reads the
 * cache. With `first`, that many rows come ahead of the others, since reading 10,000 takes longer than showing a screenful.
 */
export function useInventory({ first = 0 } = {}): InventoryView & { refresh: () => Promise<void> } {
  const [view, setView] = useState<Omit<InventoryView, 'slow'>>({
    rows: null,
    complete: false,
    fresh: false,
    syncing: true,
    total: null,
    trouble: null,
  })
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const again = useRef(false)
  const underWay = useRef(false)
  const live = useLive((news) => news.inventory && void refresh())

  const load = useCallback(async () => {
    const opened = await openOnce()
    const [rows, complete] = await Promise.all([readRows(opened), wasSynced(opened)])
    setView((before) => ({ ...before, rows, complete }))
  }, [])

  const loadFirst = useCallback(async () => {
    const rows = first > 0 ? await readRows(await openOnce(), first) : []
    if (rows.length > 0) setView((before) => ({ ...before, rows: before.rows ?? rows }))
  }, [first])

  /** Runs one sync at a time. Calls during a sync cause one more. */
  const refresh = useCallback(async () => {
    again.current = true
    if (underWay.current) return
    underWay.current = true
    setView((before) => ({ ...before, syncing: true }))
    try {
      while (again.current) {
        again.current = false
        await syncAll()
      }
      // Load even if this sync changed nothing: the worker may have synced a moment before.
      await load()
    } catch (error) {
      const trouble = { code: 'lost', message: String(error), retry_after_ms: null, request_id: null }
      setView((before) => ({ ...before, trouble }))
    }
    setView((before) => ({ ...before, syncing: false, fresh: true }))
    underWay.current = false
    clearTimeout(timer.current)
    if (document.visibilityState === 'visible') timer.current = setTimeout(refresh, live.current ? liveMs : againMs)
  }, [load, live])

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && refresh()
    void loadFirst().then(load).then(refresh, refresh)
    addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer.current)
      removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [loadFirst, load, refresh])

  return { ...view, refresh, slow: useSlow(view.syncing) }

  async function syncAll() {
    for (let more = true; more; ) {
      const step = await syncOnce()
      if (step.of !== null) setView((before) => ({ ...before, total: step.of }))
      more = step.more && step.trouble === null
      // The last step's rows are loaded after the loop.
      if (more && step.changed > 0) await load()
      if (!more) setView((before) => ({ ...before, trouble: step.trouble }))
    }
  }
}

function openOnce(): Promise<InventoryCache> {
  inventory ??= openInventoryCache().then(
    (opened) => {
      opened.on('close', () => {
        inventory = null
      })
      return opened
    },
    (error: unknown) => {
      inventory = null
      throw error
    },
  )
  return inventory
}

/** Retries once: a worker that died resumes its sync when asked again. */
async function syncOnce() {
  try {
    return await send('inventory.sync', {})
  } catch (error) {
    if (!(error instanceof MessageError) || error.code !== 'lost') throw error
    return send('inventory.sync', {})
  }
}
